"""Regressors that only research uses: support vectors and boosted trees."""
