"""A mask for the command line."""


def near(b, h, q, k):
    return (q - k).abs() < 3
