"""Reads lines of OTLP JSON from standard input and holds them against the protocol's own schema.

otlp_check.py FOLDER keeps the schema in FOLDER: it comes, pinned by its hash, with a package of OpenTelemetry for
JavaScript, and is compiled by protoc. Prints all spans as one JSON
list. Exit 0: every line is a valid ExportTraceServiceRequest. Exit 77: the schema cannot be had
here, with the reason. Anything else: what is wrong.
"""
import base64
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile

PACKAGE = "@opentelemetry/otlp-grpc-exporter-base@0.35.0"
SHA256 = "6f68fc8fdde771409c8841a3dd9b37ab234785b224d77f974cd0f065b12fe1ec"
INSIDE = "package/build/protos/"
WANTED = ("common/v1/common", "resource/v1/resource", "trace/v1/trace",
          "collector/trace/v1/trace_service")


def away(reason):
    print(reason)
    sys.exit(77)


def fetch(folder):
    archive = os.path.join(folder, "schema.tgz")
    if not os.path.exists(archive):
        os.makedirs(folder, exist_ok=True)
        try:
            packed = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, timeout=120,
                                    capture_output=True, text=True, check=True)
        except FileNotFoundError:
            away("the schema of OTLP is fetched with npm, which is not installed")
        except (subprocess.SubprocessError, OSError) as error:
            away("the schema of OTLP cannot be fetched: %s" % error)
        os.replace(os.path.join(folder, packed.stdout.split()[-1]), archive)
    with open(archive, "rb") as kept:
        data = kept.read()
    if hashlib.sha256(data).hexdigest() != SHA256:
        os.remove(archive)
        sys.exit("what npm gave is not the schema that is known here")
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for name in WANTED:
            path = "opentelemetry/proto/%s.proto" % name
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                out.write(tar.extractfile(INSIDE + path).read())
    files = ["opentelemetry/proto/%s.proto" % name for name in WANTED]
    try:
        subprocess.run(["protoc", "-I.", "--python_out=."] + files, cwd=folder, check=True)
    except FileNotFoundError:
        away("protoc is not installed (protobuf-compiler)")


# The JSON of OTLP is that of protocol buffers but for ids, which are hexadecimal, and enums, which
# are numbers.
def with_ids(span):
    for name, size in (("traceId", 16), ("spanId", 8), ("parentSpanId", 8)):
        if name in span:
            raw = bytes.fromhex(span[name])
            if len(raw) != size or span[name] != span[name].lower() or not any(raw):
                sys.exit("%s is no id: %s" % (name, span[name]))
            span[name] = base64.b64encode(raw).decode()
    if not isinstance(span.get("kind"), int):
        sys.exit("a kind is a number")
    return span


def check(lines):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
    spans = []
    for line in lines:
        document = json.loads(line)
        for resource in document["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                spans += json.loads(json.dumps(scope["spans"]))
                scope["spans"] = [with_ids(span) for span in scope["spans"]]
        request = json_format.ParseDict(document,
                                        trace_service_pb2.ExportTraceServiceRequest())
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    if span.end_time_unix_nano < span.start_time_unix_nano or not span.name:
                        sys.exit("a span has no name or ends before it begins: %s" % span)
    print(json.dumps(spans))


def main():
    folder = sys.argv[1]
    try:
        import google.protobuf  # noqa: F401
    except ImportError:
        away("the Python module of protocol buffers is not installed (python3-protobuf)")
    fetch(folder)
    sys.path.insert(0, folder)
    check(line for line in sys.stdin if line.strip())


main()
