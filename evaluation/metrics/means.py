"""The harmonic mean, which is high only where both values are."""


def harmonic_mean(one: float, two: float) -> float:
    """The harmonic mean of two metrics, a correlation by its absolute value (Beyer 3.3).

    Since a correlation counts without its sign, an order that is the wrong way round is not told from the
    right one: look at the correlation too. NaN where one is NaN.

    >>> round(harmonic_mean(0.5, -0.25), 4)  # 2 * .125 / .75
    0.3333
    >>> harmonic_mean(0.0, 0.0)
    0.0
    """
    a, b = abs(one), abs(two)
    return 2 * a * b / (a + b) if a + b != 0 else 0.0
