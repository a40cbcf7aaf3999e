"""Decides about the URLs of a file in turn; prints the nanoseconds of a decision, and the number of decisions by a rule.

    decide.py RULES URLS DECISIONS
"""

import itertools
import sys
import time

from shunt_rules import Rules


def decide(rules: Rules, urls: list[str], count: int) -> int:
    return sum(rules.decide(url).rule is not None for url in itertools.islice(itertools.cycle(urls), count))


with open(sys.argv[2]) as file:
    urls = file.read().split()
rules = Rules(sys.argv[1])
count = int(sys.argv[3])
decide(rules, urls, len(urls))
start = time.thread_time_ns()
matches = decide(rules, urls, count)
print(f"{(time.thread_time_ns() - start) / count:.1f} {matches}")
