"""What Vos et al. print of their six sets of UCI in Tables II, VI and VII, row by row as it stands there.

Accuracies and their errors of a decision tree without privacy, BDPT, PrivaTree*, DPGDF, DiffPrivLib and PrivaTree; "-"
was left out by the source. ``make sources`` finds each row in its table.
"""

METHODS = ("decision tree", "BDPT", "PrivaTree*", "DPGDF", "DiffPrivLib", "PrivaTree")
EPSILONS = {"II": "1/10", "VI": "1/100", "VII": "1"}
TABLES = {
    "II": """
adult .840 ± .001 .752 ± .000 .815 ± .001 .753 ± .002 .757 ± .003 .820 ± .003
breast-w .950 ± .007 .614 ± .025 .909 ± .025 - .842 ± .037 .886 ± .019
diabetes .723 ± .012 .624 ± .017 .659 ± .011 - .667 ± .010 .673 ± .019
mushroom .977 ± .005 .880 ± .013 .973 ± .011 .761 ± .042 .749 ± .048 .985 ± .002
nursery 1.000 ± .000 1.000 ± .000 1.000 ± .000 .707 ± .027 .767 ± .061 1.000 ± .000
vote .944 ± .014 .608 ± .062 .771 ± .081 .561 ± .081 .827 ± .036 .737 ± .061
""",
    "VI": """
adult .840 ± .001 .747 ± .004 .777 ± .007 .742 ± .004 .753 ± .002 .771 ± .010
breast-w .950 ± .007 .502 ± .061 .824 ± .038 - .690 ± .108 .331 ± .143
diabetes .723 ± .012 .660 ± .010 .514 ± .055 - .581 ± .051 .513 ± .086
mushroom .977 ± .005 .640 ± .009 .778 ± .040 .654 ± .056 .752 ± .051 .784 ± .064
nursery 1.000 ± .000 .623 ± .033 .949 ± .031 .564 ± .036 .688 ± .030 1.000 ± .000
vote .944 ± .014 .560 ± .083 .535 ± .028 .464 ± .105 .531 ± .060 .608 ± .158
""",
    "VII": """
adult .840 ± .001 .809 ± .001 .822 ± .003 .752 ± .000 .758 ± .005 .823 ± .001
breast-w .950 ± .007 .559 ± .020 .930 ± .012 - .917 ± .026 .946 ± .008
diabetes .723 ± .012 .645 ± .006 .741 ± .012 - .683 ± .024 .706 ± .028
mushroom .977 ± .005 .950 ± .008 .998 ± .001 .728 ± .048 .749 ± .044 .999 ± .001
nursery 1.000 ± .000 1.000 ± .000 1.000 ± .000 .690 ± .016 .715 ± .035 1.000 ± .000
vote .944 ± .014 .901 ± .021 .957 ± .012 .802 ± .049 .836 ± .021 .944 ± .022
""",
}


def rows():
    """Each number with its table, set, ε and method."""
    for table, lines in TABLES.items():
        for line in lines.strip().splitlines():
            name, cells = line.split(maxsplit=1)
            numbers = iter(cells.split())
            for method in METHODS:
                if (mean := next(numbers)) != "-":
                    next(numbers)  # ±
                    found = {"table": table, "data": name, "epsilon": EPSILONS[table], "method": method}
                    yield {**found, "accuracy": float(mean), "se": float(next(numbers))}
