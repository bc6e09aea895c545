"""The Helm chart, by Helm itself and by the schemas of Kubernetes, and the compose file."""
import json
import subprocess
from pathlib import Path

import pytest
import yaml
from harness import REEVE, ROOT

MORE = ("--set", "replicas=3", "--set", "env.REEVE_QUEUES=mail:4", "--set", "envFromSecrets={mail}", "--set", "imagePullSecrets[0].name=registry",
        "--set", "nodeSelector.disk=ssd", "--set", "tolerations[0].key=only,tolerations[0].operator=Exists", "--set", "port=9999")


def rendered(helm, *words):
    done = helm("template demo", *words)
    assert done.returncode == 0, done.stderr
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def check(models, objects):
    return subprocess.run(["node", Path(__file__).with_name("check_objects.mjs"), models], input=json.dumps(objects), capture_output=True,
                          text=True, check=False)


def test_helm_finds_nothing_to_complain_about(helm):
    done = helm("lint --strict")
    assert done.returncode == 0 and "0 chart(s) failed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("words", [(), MORE], ids=["defaults", "everything set"])
def test_the_objects_follow_the_schemas_of_kubernetes(helm, models, words):
    done = check(models, rendered(helm, *words))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_check_by_schema_finds_a_misspelt_field_and_a_wrong_type(helm, models):
    objects = rendered(helm)
    container = next(one for one in objects if one["kind"] == "Deployment")["spec"]["template"]["spec"]["containers"][0]
    container["livenesProbe"] = container.pop("livenessProbe")
    container["ports"][0]["containerPort"] = "http"
    done = check(models, objects)
    assert done.returncode == 1 and "unknown field livenesProbe" in done.stdout and "containerPort" in done.stdout


def test_workers_have_probes_and_few_rights(helm):
    pod = next(one for one in rendered(helm) if one["kind"] == "Deployment")["spec"]["template"]["spec"]
    container = pod["containers"][0]
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert pod["securityContext"]["runAsNonRoot"] and pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert pod["terminationGracePeriodSeconds"] > 30  # longer than the stop of the worker


def test_the_schema_is_migrated_before_the_workers_of_a_version_start(helm):
    job = next(one for one in rendered(helm) if one["kind"] == "Job")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    pod = job["spec"]["template"]["spec"]
    assert pod["containers"][0]["args"] == ["migrate", "--install"]
    assert pod["volumes"][0]["secret"]["items"][0]["key"] == "owner-url"
    assert not [one for one in rendered(helm, "--set", "migrate.enabled=false") if one["kind"] == "Job"]


@pytest.mark.parametrize("setting", ["replicas=-1", "port=0", "image.pullPolicy=Sometimes", "databse.secret=x", "database.secret="])
def test_wrong_values_are_refused(helm, setting):
    done = helm("template demo", "--set", setting)
    assert done.returncode != 0 and "schema" in done.stderr, done.stderr


def test_the_compose_file_starts_workers_after_the_schema():
    services = yaml.safe_load((ROOT / "contrib/compose/compose.yaml").read_text(encoding="utf-8"))["services"]
    assert services["schema"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert services["worker"]["depends_on"] == {"schema": {"condition": "service_completed_successfully"}}
    assert services["worker"]["read_only"] and services["worker"]["cap_drop"] == ["ALL"]


def test_the_commands_of_chart_and_compose_file_are_commands_of_the_program(helm):
    services = yaml.safe_load((ROOT / "contrib/compose/compose.yaml").read_text(encoding="utf-8"))["services"]
    lines = [services["schema"]["command"], services["worker"]["command"]]
    lines += [one["spec"]["template"]["spec"]["containers"][0]["args"] for one in rendered(helm)]
    known = {line.split("|")[0]: line.split("|")[3].split()
             for line in subprocess.run([REEVE, "--commands"], capture_output=True, text=True, check=True).stdout.splitlines()}
    for command, *flags in lines:
        assert command in known and set(flags) <= set(known[command])
