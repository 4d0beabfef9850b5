"""Independent answers on mechanisms, in their own environment: JSON questions on standard input, JSON answers out."""

import json
import sys

import diffprivlib.mechanisms as diffprivlib
import opendp.prelude as opendp
from dp_accounting import gaussian_mechanism

opendp.enable_features("contrib")


def gaussian_sigma(epsilon, delta):
    """The least σ for sensitivity 1: IBM's, and Google's."""
    ibm = diffprivlib.GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=1)._scale
    return [ibm, gaussian_mechanism.get_sigma_gaussian(epsilon, delta)]


def half_width(scale, miss):
    """The least a with Pr[|Z| ≥ a] ≤ miss for discrete Laplace noise, as a real number: OpenDP's."""
    return opendp.discrete_laplacian_scale_to_accuracy(scale=scale, alpha=miss)


def exponential(utilities, epsilon, sensitivity, monotone):
    """The distribution function of the exponential mechanism: IBM's."""
    mechanism = diffprivlib.Exponential(epsilon=epsilon, sensitivity=sensitivity, utility=utilities, monotonic=monotone)
    return [float(p) for p in mechanism._probabilities]


def discrete_laplace(scale, size):
    """Draws around 0: OpenDP's, from the operating system's entropy."""
    space = opendp.vector_domain(opendp.atom_domain(T="i64")), opendp.l1_distance(T="i64")
    return opendp.m.make_laplace(*space, scale=scale)([0] * size)


def discrete_gaussian(scale, size):
    space = opendp.vector_domain(opendp.atom_domain(T="i64")), opendp.l2_distance(T="f64")
    return opendp.m.make_gaussian(*space, scale=scale)([0] * size)


ANSWERS = [gaussian_sigma, half_width, exponential, discrete_laplace, discrete_gaussian]

if __name__ == "__main__":
    questions = json.load(sys.stdin)
    by_name = {answer.__name__: answer for answer in ANSWERS}
    json.dump({name: [by_name[name](*point) for point in points] for name, points in questions.items()}, sys.stdout)
