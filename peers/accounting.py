"""dp-accounting's and OpenDP's answers to questions of accounting, for tests/accounting/test_peers.py.

Reads a JSON list of questions, each a kind and its parameters, and writes the list of answers: an interval
[lower, upper] where the library has an optimistic and a pessimistic answer, else one number.
"""

import json
import sys

import mpmath
import opendp.prelude as dp
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import rdp_privacy_accountant as rdp

dp.enable_features("contrib", "idealized-numerics")


def both(make, k, delta):
    return [
        make(pessimistic).self_compose(k).get_epsilon_for_delta(delta) if k > 1
        else make(pessimistic).get_epsilon_for_delta(delta)
        for pessimistic in (False, True)
    ]  # fmt: skip


def optimal(epsilon, k, delta):
    one = pld.from_privacy_parameters(
        common.DifferentialPrivacyParameters(epsilon, 0), value_discretization_interval=epsilon
    )
    return (one.self_compose(k) if k > 1 else one).get_epsilon_for_delta(delta)


def optimal_delta(epsilon, k, target):
    one = pld.from_privacy_parameters(
        common.DifferentialPrivacyParameters(epsilon, 0), value_discretization_interval=epsilon
    )
    return (one.self_compose(k) if k > 1 else one).get_delta_for_epsilon(target)


def laplace(epsilon, k, delta, step):
    return both(
        lambda p: pld.from_laplace_mechanism(
            1 / epsilon, value_discretization_interval=step, pessimistic_estimate=p, use_connect_dots=False
        ),
        k,
        delta,
    )


def discrete_laplace(epsilon, sensitivity, k, delta, step):
    return both(
        lambda p: pld.from_discrete_laplace_mechanism(
            epsilon / sensitivity, sensitivity, value_discretization_interval=step, pessimistic_estimate=p,
            use_connect_dots=False,
        ),
        k,
        delta,
    )  # fmt: skip


def gaussian(sigma, k, delta, step):
    return both(
        lambda p: pld.from_gaussian_mechanism(
            sigma, value_discretization_interval=step, pessimistic_estimate=p, use_connect_dots=False
        ),
        k,
        delta,
    )


def rdp_laplace(order, epsilon):
    return float(rdp._laplace_rdp(epsilon, order))


def rdp_to_epsilon(order, divergence, delta):
    return rdp.compute_epsilon([order], [divergence], delta)[0]


def zcdp_to_epsilon(scale, delta):
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noise = space >> dp.m.then_gaussian(scale)
    return dp.c.make_zCDP_to_approxDP(noise).map(1.0).epsilon(delta)


def gaussian_delta(epsilon, rho):
    """By mpmath, with 60 digits, from the formula of Balle and Wang; as text."""
    with mpmath.workdps(60):
        e, mu = mpmath.mpf(epsilon), mpmath.sqrt(2 * mpmath.mpf(rho))
        first, second = (mpmath.ncdf(sign * mu / 2 - e / mu) for sign in (1, -1))
        return mpmath.nstr(first - mpmath.exp(e) * second, 45)


def pure_to_zcdp(epsilon):
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return dp.c.make_pureDP_to_zCDP(space >> dp.m.then_laplace(1 / epsilon)).map(1.0)


def gaussian_to_zcdp(scale):
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return (space >> dp.m.then_gaussian(scale)).map(1.0)


if __name__ == "__main__":
    json.dump([globals()[kind](*parameters) for kind, *parameters in json.load(sys.stdin)], sys.stdout)
