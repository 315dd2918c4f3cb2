"""Reads of captured tensors out of bounds, by positions or by data."""

import numpy
import stof
from stof.masks import Mask, captured

query = numpy.ones((1, 2, 8, 16), "float32")
table = numpy.arange(12, dtype="int32")
numbers = numpy.array([0, 3, 11, 2, 5, 7, 1, 9], "int8")


def attend(predicate, length=8):
    tensor = query[:, :, :length].copy()
    try:
        return stof.attention(tensor, tensor, tensor, mask=Mask(predicate)).shape
    except stof.ArgumentError as error:
        return f"{type(error).__name__}: {error}"


def by_position(b, h, q, k):
    return captured(table)[q * 2] >= k


def by_data(b, h, q, k):
    return captured(table)[captured(numbers)[q]] >= k


def by_difference(b, h, q, k):
    return captured(table)[q - k] >= k


print(attend(by_position, 6))
print(attend(by_position))
print(attend(by_data))
for number in (12, -12, -13):
    numbers[3] = number
    print(attend(by_data))
print(attend(by_data, 3))
print(attend(by_difference))
for predicate in (by_position, by_data, by_difference):
    try:
        Mask(predicate, predicate.__name__).dense(8)
    except stof.ArgumentError as error:
        print(error)
