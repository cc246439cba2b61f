"""How features become scores: one module a regressor; :mod:`models.regressors.registry` joins them."""
