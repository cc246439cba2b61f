"""The pages of paths: the story, the editor by plain forms, two curators, the one page that may be framed."""

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import new_key, running
from tests.service.paths.conftest import writable
from tests.service.paths.test_api import VENICE, made, matching
from tests.service.paths.test_formats import NOTED
from tests.service.web.test_pages import Outline


def published(client: TestClient, **given: Any) -> dict[str, Any]:
    path = made(client, **given)
    shown: dict[str, Any] = client.post(f"{path['href']}/publish", headers=matching(1)).json()
    return shown


def send(client: TestClient, address: str, **fields: str) -> Any:
    body = urlencode(fields)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    return client.post(address, content=body, headers=headers, follow_redirects=False)


def edit(client: TestClient, path: dict[str, Any], version: int, action: str, **fields: str) -> Any:
    return send(client, f"/edit/paths/{path['id']}", version=str(version), action=action, **fields)


def items(client: TestClient, path: dict[str, Any]) -> list[str]:
    return [step["id"] for step in client.get(path["href"]).json()["steps"]]


def test_a_story_tells_each_step_and_why_it_follows(curating: TestClient, visiting: TestClient) -> None:
    path = published(curating, **NOTED)
    text = visiting.get(path["view"]).text
    assert "<h1>Venice &amp; &lt;London&gt;</h1>" in text
    assert "By Ada, of the museum" in text
    assert text.count('class="stop"') == 4
    assert text.count('class="why"') == 3
    assert "<strong>Of the same place.</strong> Seen from “the water”." in text
    assert "It *begins* here.\nOn a boat." in text
    assert 'src="https://m.invalid/1.jpg" alt="Picture of View of Venice"' in text
    assert 'href="/view/items/m%3A01"' in text
    assert "Edit" not in text
    assert "Edit this path" in curating.get(path["view"]).text


def test_the_start_page_shows_the_first_paths_of_the_list(curating: TestClient, visiting: TestClient) -> None:
    for number in range(4):
        published(curating, **{**NOTED, "title": f"Path {number}", "text": f"Of number {number}."})
    made(curating, **{**NOTED, "title": "A draft"})
    page = visiting.get("/").text
    shown = page[page.index('id="paths-heading"') :]
    shown = shown[: shown.index("</section>")]
    titles = re.findall(r">(Path \d)</a>", visiting.get("/view/paths").text)
    assert len(titles) == 4
    assert re.findall(r">(Path \d)</a>", shown) == titles[:3]
    assert f"Of number {titles[0][-1]}." in shown
    assert 'src="https://m.invalid/1.jpg"' in shown
    assert "A draft" not in page
    assert 'id="paths-heading"' not in visiting.get("/?after=m:01").text


def test_who_has_the_start_page_is_told_when_a_path_is_published(
    curating: TestClient, visiting: TestClient
) -> None:
    had = visiting.get("/").headers["etag"]
    assert visiting.get("/", headers={"If-None-Match": had}).status_code == 304
    path = published(curating)
    new = visiting.get("/", headers={"If-None-Match": had})
    assert new.status_code == 200
    assert path["view"] in new.text
    curating.post(f"{path['href']}/unpublish", headers=matching(2))
    assert visiting.get("/", headers={"If-None-Match": had}).status_code == 304


def test_what_a_page_offers_for_other_sites_can_be_used(curating: TestClient, visiting: TestClient) -> None:
    path = published(curating, **NOTED)
    text = visiting.get(path["view"]).text
    for address in re.findall(r'href="(/paths/[^"]+)"', text):
        assert visiting.get(unescape(address)).status_code == 200
    snippet = unescape(re.findall(r"<pre><code>(.*?)</code></pre>", text)[0])
    (frame,) = Outline(snippet).all("iframe")
    assert frame["title"] == "Venice & <London>"
    assert frame["src"] == f"http://testserver/embed/paths/{path['id']}"


def test_only_the_embedded_page_may_stand_in_a_frame(curating: TestClient, visiting: TestClient) -> None:
    path = published(curating)
    policies = {
        address: visiting.get(address).headers["content-security-policy"]
        for address in ("/view/paths", path["view"], f"/embed/paths/{path['id']}", "/embed/paths/none")
    }
    framed = [address for address, policy in policies.items() if policy.endswith("frame-ancestors *")]
    assert framed == [f"/embed/paths/{path['id']}"]
    assert all(
        "frame-ancestors 'none'" in policy for address, policy in policies.items() if address not in framed
    )
    text = visiting.get(f"/embed/paths/{path['id']}").text
    assert 'class="site"' not in text
    outward = [link for link in Outline(text).all("a") if not str(link["href"]).startswith("#")]
    assert outward
    assert all(link.get("target") == "_blank" for link in outward)


def test_a_withdrawn_item_is_shown_as_such(curating: TestClient, later: TestClient) -> None:
    path = published(curating)
    text = later.get(path["view"]).text
    assert text.count('class="stop"') == 3
    assert "Approach to Venice" in text
    assert "3 of 3 · withdrawn" in text
    assert "This item is no longer in the collection." in text
    assert "Approach to Venice (withdrawn)" in later.get(f"/edit/paths/{path['id']}").text


def test_the_list_shows_what_is_published(curating: TestClient, visiting: TestClient) -> None:
    assert "No path is published yet." in visiting.get("/view/paths").text
    made(curating, title="A draft")
    published(curating, title="Venice by water")
    text = visiting.get("/view/paths").text
    assert "Venice by water" in text
    assert "A draft" not in text
    assert "A draft" in curating.get("/edit/paths").text


def test_every_page_is_well_formed_and_accessible(curating: TestClient) -> None:
    path = published(curating, **NOTED)
    edit_path = f"/edit/paths/{path['id']}"
    addresses = [
        "/view/paths",
        path["view"],
        f"/embed/paths/{path['id']}",
        "/edit/paths",
        "/edit/add?item=m:06",
        edit_path,
        f"{edit_path}?type=location&unlike=m:06&unlike=m:07",
        f"{edit_path}/preview",
    ]
    pages = {address: curating.get(address) for address in addresses}
    pages["conflict"] = edit(curating, path, 1, "remove", item="m:01")
    for address, response in pages.items():
        assert response.status_code == (412 if address == "conflict" else 200), address
        outline = Outline(response.text)
        assert response.text.lstrip().startswith("<!doctype html>")
        assert outline.headings.count(1) == 1
        assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False)), address
        assert all("alt" in image for image in outline.all("img"))
        ids = [str(attributes["id"]) for _, attributes in outline.tags if "id" in attributes]
        assert len(ids) == len(set(ids)), address
        labelled = {str(label["for"]) for label in outline.all("label") if "for" in label}
        fields = [
            field
            for tag in ("input", "select", "textarea")
            for field in outline.all(tag)
            if field.get("type") not in ("hidden", "checkbox")
        ]
        assert {str(field["id"]) for field in fields} == labelled, address
        assert not any("style" in attributes for _, attributes in outline.tags)
        for link in outline.all("link"):
            assert curating.get(str(link["href"])).status_code == 200


def test_a_path_is_made_and_edited_by_forms(curating: TestClient) -> None:
    begun = send(curating, "/edit/paths", title="Venice", text="By\r\nwater", curator="Ada", item="m:01")
    assert begun.status_code == 303
    path = {"id": begun.headers["location"].rpartition("/")[2]}
    path["href"] = f"/paths/{path['id']}"
    for version, item in enumerate(("m:02", "m:05"), 1):
        added = edit(curating, path, version, "add", item=f" {item} ")
        assert added.headers["location"] == f"/edit/paths/{path['id']}#step-{version + 1}"
    assert items(curating, path) == ["m:01", "m:02", "m:05"]
    edit(curating, path, 3, "up", item="m:05")
    assert items(curating, path) == ["m:01", "m:05", "m:02"]
    edit(curating, path, 4, "down", item="m:01")
    assert items(curating, path) == ["m:05", "m:01", "m:02"]
    edit(curating, path, 5, "remove", item="m:05")
    edit(
        curating, path, 6, "annotate", item="m:02", note="Quiet.", type="location", reason="Both concern it."
    )
    edit(curating, path, 7, "name", title="Venice by water", text="x", by="Ada and Bo", curator="Bo")
    now = curating.get(path["href"]).json()
    assert [step["id"] for step in now["steps"]] == ["m:01", "m:02"]
    step = now["steps"][1]
    assert (step["note"], step["type"], step["reason"]) == ("Quiet.", "location", "Both concern it.")
    assert (now["title"], now["curator"]) == ("Venice by water", "Ada and Bo")
    assert (now["changed_by"], now["signed"]) == (
        "Some curator",
        "Bo",
    )  # the key, and the name that was given
    edit(curating, path, 8, "publish")
    assert curating.get(path["href"]).json()["published"] == 9
    assert curating.get(path["href"]).json()["signed"] == "Bo"
    assert "Bo, with the key of Some curator" in curating.get(f"/edit{path['href']}").text
    edit(curating, path, 9, "undo")
    assert curating.get(path["href"]).json()["title"] == "Venice"
    edit(curating, path, 10, "restore", number="1")
    assert items(curating, path) == ["m:01"]
    forked = edit(curating, path, 11, "fork").headers["location"]
    assert forked != f"/edit/paths/{path['id']}"
    assert path["id"] in curating.get(forked).text
    assert edit(curating, path, 11, "unpublish").status_code == 303
    assert edit(curating, path, 12, "delete").headers["location"] == "/edit/paths"
    assert curating.get(path["href"]).status_code == 404


def test_a_step_that_follows_another_now_is_explained_anew(curating: TestClient) -> None:
    path = made(
        curating, steps=[{"id": "m:01"}, {"id": "m:02"}, {"id": "m:07", "type": None, "reason": "mine"}]
    )
    edit(curating, path, 1, "down", item="m:01")
    steps = curating.get(path["href"]).json()["steps"]
    assert [step["id"] for step in steps] == ["m:02", "m:01", "m:07"]
    assert (steps[0]["type"], steps[0]["reason"]) == (None, "")
    assert steps[1]["reason"] == "Both are by Canaletto."
    assert steps[2]["reason"] != "mine"


def test_what_was_written_in_a_step_is_kept_when_it_is_moved(curating: TestClient) -> None:
    path = made(curating)
    written = {"note": "Written.", "type": "", "reason": "because"}
    edit(curating, path, 1, "move", item="m:01", place="3", **written)
    steps = curating.get(path["href"]).json()["steps"]
    assert [step["id"] for step in steps] == ["m:02", "m:05", "m:01"]
    assert steps[2]["note"] == "Written."
    edit(curating, path, 2, "move", item="m:01", place="99")
    assert items(curating, path) == ["m:02", "m:05", "m:01"]
    edit(curating, path, 2, "move", item="m:05", place="1", note="x", type="", reason="")
    assert items(curating, path) == ["m:05", "m:02", "m:01"]


def test_another_type_gets_its_own_reason(curating: TestClient, museum: Recommender) -> None:
    path = made(curating)
    step = path["steps"][2]
    edit(curating, path, 1, "annotate", item="m:05", note="", type="location", reason=step["reason"])
    changed = curating.get(path["href"]).json()["steps"][2]
    reason = museum.score("m:02", "m:05").reasons[museum.system.position("location")].text
    assert (changed["type"], changed["reason"]) == ("location", reason)


def test_a_path_by_itself_is_begun_by_a_form(curating: TestClient) -> None:
    begun = send(curating, "/edit/paths", title="x", item="m:01", length="4", type="location")
    path = curating.get(f"/paths/{begun.headers['location'].rpartition('/')[2]}").json()
    assert len(path["steps"]) == 4
    assert {step["type"] for step in path["steps"][1:]} == {"location"}


def test_the_second_of_two_curators_sees_both_and_chooses(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "name", title="Of Ada", text="", by="", curator="Ada")
    response = edit(curating, path, 1, "annotate", item="m:01", note="A note of Bo & me")
    assert response.status_code == 412
    assert "Ada made version 2" in response.text
    assert "Of Ada" in response.text
    assert "A note of Bo &amp; me" in response.text
    assert curating.get(path["href"]).json()["version"] == 2
    form = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', response.text)
    again = send(curating, f"/edit/paths/{path['id']}", **{name: unescape(value) for name, value in form})
    assert again.status_code == 303
    now = curating.get(path["href"]).json()
    assert (now["title"], now["steps"][0]["note"], now["version"]) == ("Of Ada", "A note of Bo & me", 3)
    for action in ("publish", "undo", "delete"):
        refused = edit(curating, path, 1, action)
        assert (refused.status_code, "You were about to" in refused.text) == (412, True)


def test_suggestions_in_the_editor_can_be_added_and_shunned(curating: TestClient) -> None:
    path = made(curating)
    text = curating.get(f"/edit/paths/{path['id']}?type=location").text
    offered = re.findall(r'<button class="quiet" name="unlike" value="([^"]+)"', text)
    assert offered
    assert not set(offered) & {"m:01", "m:02", "m:05"}
    less = curating.get(f"/edit/paths/{path['id']}?type=location&unlike={offered[0]}").text
    assert offered[0] not in re.findall(r'<button class="quiet" name="unlike" value="([^"]+)"', less)
    assert f'name="unlike" value="{offered[0]}" checked' in less
    edit(curating, path, 1, "add", item=offered[0])
    assert items(curating, path)[-1] == offered[0]


def test_an_item_is_added_from_its_own_page(curating: TestClient) -> None:
    path = made(curating)
    text = curating.get("/edit/add?item=m:06").text
    assert "Add Palace in Venice to a path" in text
    assert f'action="/edit/paths/{path["id"]}"' in text
    assert "It is in this path." in curating.get("/edit/add?item=m:01").text
    assert curating.get("/edit/add?item=none").status_code == 404


@pytest.mark.parametrize("address", ["/edit/paths", "/edit/add?item=m:01", "/edit/paths/none"])
def test_who_may_not_write_does_not_edit(visiting: TestClient, address: str) -> None:
    response = visiting.get(address)
    assert (response.status_code, response.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert send(visiting, "/edit/paths", title="x").status_code == 401


def test_a_form_of_another_site_is_refused(curating: TestClient) -> None:
    path = made(curating)
    _, _, key = curating.headers.pop("Authorization").partition(" ")
    assert send(curating, "/login", key=key).status_code == 303
    for address in ("/edit/paths", f"/edit/paths/{path['id']}", "/import/paths?format=csv&title=x"):
        response = curating.post(
            address,
            content="title=x&version=1&action=delete",
            headers={"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"},
        )
        assert response.status_code == 403
        assert "another site" in response.text
    assert [one["id"] for one in curating.get("/paths?drafts=true").json()["paths"]] == [path["id"]]


def test_a_form_that_does_not_fit_is_a_page(curating: TestClient) -> None:
    path = made(curating)
    for version, action, fields in (
        ("x", "publish", {}),
        ("", "publish", {}),
        ("1", "explode", {}),
        ("1", "remove", {"item": "m:09"}),
        ("1", "up", {"item": "m:09"}),
        ("1", "move", {"item": "m:01", "place": "first"}),
        ("1", "restore", {"number": "x"}),
        ("1", "name", {"title": " "}),
        ("1", "add", {"item": "m:01"}),
    ):
        response = send(curating, f"/edit/paths/{path['id']}", version=version, action=action, **fields)
        if (action, fields) == ("remove", {"item": "m:09"}):
            assert response.status_code == 303  # it is gone already
            continue
        assert (response.status_code, response.headers["content-type"]) == (422, "text/html; charset=utf-8")
    broken = curating.post(
        f"/edit/paths/{path['id']}", content=b"version=%ff", headers={"Sec-Fetch-Site": "none"}
    )
    assert broken.status_code == 422


def test_two_curators_over_a_real_server(museum: Recommender, settings: Settings, tmp_path: Any) -> None:
    import json

    writing = writable(settings, tmp_path)
    with running(create_app(museum, writing), new_key(writing)) as server:
        begun = server.ask("/paths", "POST", json.dumps(VENICE).encode())
        assert (begun.status, begun.headers["etag"][:3]) == (201, '"1.')
        address = begun.headers["location"]
        assert server.ask(address, "PUT", json.dumps(VENICE).encode()).status == 428
        assert server.ask(f"/edit{address}", "POST", b"version=1&action=publish").status == 303
        late = server.ask(f"/edit{address}", "POST", b"version=1&action=undo")
        assert late.status == 412
        assert b"Somebody else has changed this path" in late.body
        assert server.ask(f"/view{address}").status == 200
