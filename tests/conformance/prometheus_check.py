"""Reads Prometheus text from standard input with Prometheus' own client library.

Prints every sample as a JSON list of name, labels, value and the type of its family. Exit 77: the
library is not installed.
"""
import json
import sys

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    print("the client library of Prometheus is not installed (python3-prometheus-client)")
    sys.exit(77)

samples = []
for family in text_string_to_metric_families(sys.stdin.read()):
    if not family.documentation or family.type == "unknown":
        sys.exit("%s has no help or no type" % family.name)
    samples += [[s.name, s.labels, s.value, family.type] for s in family.samples]
print(json.dumps(samples))
