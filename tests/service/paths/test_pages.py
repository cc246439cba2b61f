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
    assert "Edit this path" not in text
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
    assert "A draft" in curating.get("/edit").text


def test_every_page_is_well_formed_and_accessible(curating: TestClient) -> None:
    path = published(curating, **NOTED)
    edit_path = f"/edit/paths/{path['id']}"
    addresses = [
        "/view/paths",
        path["view"],
        f"/embed/paths/{path['id']}",
        "/edit",
        "/edit?q=venice",
        "/edit/add?item=m:06",
        edit_path,
        f"{edit_path}?q=venice&suggest=location&unlike=m:06&unlike=m:07",
        f"{edit_path}/preview",
    ]
    pages = {address: curating.get(address) for address in addresses}
    edit(curating, path, 2, "save", **{"note:m:01": "Of Ada."})
    pages["conflict"] = edit(curating, path, 2, "save", **{"note:m:01": "Of Bo."})
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
            if field.get("type") != "hidden"
        ]
        assert {str(field["id"]) for field in fields} == labelled, address
        assert not any("style" in attributes for _, attributes in outline.tags)
        for link in outline.all("link"):
            assert curating.get(str(link["href"])).status_code == 200


def test_a_path_is_made_and_edited_by_forms(curating: TestClient) -> None:
    begun = send(curating, "/edit/paths", title="Venice", text="By\r\nwater", by="Ada", item="m:01")
    assert begun.status_code == 303
    path = {"id": begun.headers["location"].rpartition("/")[2]}
    path["href"] = f"/paths/{path['id']}"
    for version, item in enumerate(("m:02", "m:05"), 1):
        added = edit(curating, path, version, f"add:{item}")
        assert added.headers["location"] == f"/edit/paths/{path['id']}#step-{version + 1}"
    assert items(curating, path) == ["m:01", "m:02", "m:05"]
    edit(curating, path, 3, "up:m:05")
    assert items(curating, path) == ["m:01", "m:05", "m:02"]
    edit(curating, path, 4, "down:m:01")
    assert items(curating, path) == ["m:05", "m:01", "m:02"]
    edit(curating, path, 5, "remove:m:05")
    written = {"note:m:02": "Quiet.", "type:m:02": "location", "reason:m:02": "Both concern it."}
    edit(curating, path, 6, "save", **written)
    edit(curating, path, 7, "save", title="Venice by water", text="x", by="Ada and Bo")
    now = curating.get(path["href"]).json()
    assert [step["id"] for step in now["steps"]] == ["m:01", "m:02"]
    step = now["steps"][1]
    assert (step["note"], step["type"], step["reason"]) == ("Quiet.", "location", "Both concern it.")
    assert (now["title"], now["curator"]) == ("Venice by water", "Ada and Bo")
    assert now["changed_by"] == "Some curator"
    edit(curating, path, 8, "publish")
    assert curating.get(path["href"]).json()["published"] == 9
    edit(curating, path, 9, "undo")
    assert curating.get(path["href"]).json()["title"] == "Venice"
    edit(curating, path, 10, "restore:1")
    assert items(curating, path) == ["m:01"]
    forked = edit(curating, path, 11, "fork").headers["location"]
    assert forked != f"/edit/paths/{path['id']}"
    assert (
        f'<a href="/edit/paths/{path["id"]}">Begun from version 11 of another path</a>'
        in curating.get(forked).text
    )
    assert edit(curating, path, 11, "unpublish").status_code == 303
    assert edit(curating, path, 12, "delete").headers["location"] == "/edit"
    assert curating.get(path["href"]).status_code == 404


def test_whatever_is_pressed_all_that_was_written_is_stored(curating: TestClient) -> None:
    path = made(curating)  # m:01, m:02, m:05
    notes = {"note:m:01": "One.", "note:m:02": "Two.", "note:m:05": "Five."}
    edit(curating, path, 1, "down:m:01", **notes, title="Of notes")
    now = curating.get(path["href"]).json()
    assert now["title"] == "Of notes"
    assert [(step["id"], step["note"]) for step in now["steps"]] == [
        ("m:02", "Two."),
        ("m:01", "One."),
        ("m:05", "Five."),
    ]
    for action in ("find", "suggest", "less:m:07", "remove:m:02", "publish"):
        version = curating.get(path["href"]).json()["version"]
        edit(curating, path, version, action, **{"note:m:05": f"After {action}."})
        assert curating.get(path["href"]).json()["steps"][-1]["note"] == f"After {action}."


def test_undoing_a_move_leaves_what_was_written_with_it(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "down:m:01", **{"note:m:05": "Five."})
    edit(curating, path, 3, "undo")
    now = curating.get(path["href"]).json()
    assert [(step["id"], step["note"]) for step in now["steps"]] == [
        ("m:01", ""),
        ("m:02", ""),
        ("m:05", "Five."),
    ]


def test_a_step_that_follows_another_now_is_explained_anew(curating: TestClient) -> None:
    path = made(
        curating, steps=[{"id": "m:01"}, {"id": "m:02"}, {"id": "m:07", "type": None, "reason": "mine"}]
    )
    edit(curating, path, 1, "down:m:01")
    steps = curating.get(path["href"]).json()["steps"]
    assert [step["id"] for step in steps] == ["m:02", "m:01", "m:07"]
    assert (steps[0]["type"], steps[0]["reason"]) == (None, "")
    assert steps[1]["reason"] == "Both are by Canaletto."
    assert steps[2]["reason"] != "mine"


def test_a_step_is_moved_to_a_place(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "move:m:01", place="3", **{"note:m:01": "Written."})
    steps = curating.get(path["href"]).json()["steps"]
    assert [step["id"] for step in steps] == ["m:02", "m:05", "m:01"]
    assert steps[2]["note"] == "Written."
    edit(curating, path, 2, "move:m:01", place="99")
    assert items(curating, path) == ["m:02", "m:05", "m:01"]
    edit(curating, path, 2, "move:m:05", place="1")
    assert items(curating, path) == ["m:05", "m:02", "m:01"]


def test_another_type_gets_its_own_reason(curating: TestClient, museum: Recommender) -> None:
    path = made(curating)
    step = path["steps"][2]
    edit(curating, path, 1, "save", **{"type:m:05": "location", "reason:m:05": step["reason"]})
    changed = curating.get(path["href"]).json()["steps"][2]
    reason = museum.score("m:02", "m:05").reasons[museum.system.position("location")].text
    assert (changed["type"], changed["reason"]) == ("location", reason)


def test_a_path_by_itself_is_begun_by_a_form(curating: TestClient) -> None:
    begun = send(curating, "/edit/paths", title="x", item="m:01", length="4", type="location")
    path = curating.get(f"/paths/{begun.headers['location'].rpartition('/')[2]}").json()
    assert len(path["steps"]) == 4
    assert {step["type"] for step in path["steps"][1:]} == {"location"}


def test_what_two_curators_write_in_different_steps_is_merged(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "save", title="Of Ada", **{"note:m:02": "Of Ada."})
    edit(curating, path, 2, "remove:m:05")
    # Bo still has version 1 on the page, with all its texts as they were
    was = {"title": path["title"], "text": path["text"], "note:m:02": "", "note:m:05": ""}
    assert edit(curating, path, 1, "up:m:02", **was, **{"note:m:01": "Of Bo."}).status_code == 303
    now = curating.get(path["href"]).json()
    assert now["title"] == "Of Ada"
    assert [(step["id"], step["note"]) for step in now["steps"]] == [("m:02", "Of Ada."), ("m:01", "Of Bo.")]


def test_only_what_both_changed_is_shown_twice_and_chosen_from(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "save", **{"note:m:01": "A quiet canal."})
    mine = {"note:m:01": "A wide & long canal.", "note:m:02": "Not touched by others."}
    response = edit(curating, path, 1, "down:m:01", **mine)
    assert response.status_code == 412
    assert response.text.count("<fieldset") == 1
    assert "<mark>quiet</mark>" in response.text
    assert "<mark>wide &amp; long</mark>" in response.text
    assert "A wide &amp; long canal." in response.text
    # what does not clash is stored, what was asked for is not done yet
    now = curating.get(path["href"]).json()
    assert [step["note"] for step in now["steps"]] == ["A quiet canal.", "Not touched by others.", ""]
    chosen = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', response.text))
    chosen |= re.findall(r'type="radio" [^>]* name="([^"]+)" value="([^"]*)" checked', response.text)
    assert {name: unescape(text) for name, text in chosen.items()} == {
        "version": "3",
        "note:m:01": "A wide & long canal.",
    }
    action = re.findall(r'name="action" value="([^"]+)"', response.text)
    fields = {name: unescape(text) for name, text in chosen.items()}
    again = send(curating, f"/edit/paths/{path['id']}", action=action[0], **fields)
    assert again.status_code == 303
    assert [(step["id"], step["note"]) for step in curating.get(path["href"]).json()["steps"]][:2] == [
        ("m:02", "Not touched by others."),
        ("m:01", "A wide & long canal."),
    ]


def test_a_note_to_a_step_that_somebody_removed_is_not_lost(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "remove:m:05")
    response = edit(curating, path, 1, "save", **{"note:m:05": "Of Bo."})
    assert response.status_code == 412
    assert "took this step out of the path" in response.text
    assert 'name="action" value="add:m:05"' in response.text
    edit(curating, path, 2, "add:m:05", **{"note:m:05": "Of Bo."})
    assert curating.get(path["href"]).json()["steps"][2]["note"] == "Of Bo."


@pytest.mark.parametrize("action", ["publish", "undo", "delete", "restore:1"])
def test_what_concerns_the_whole_path_needs_the_version_that_was_seen(
    curating: TestClient, action: str
) -> None:
    path = made(curating)
    edit(curating, path, 1, "save", title="Of Ada")
    refused = edit(curating, path, 1, action)
    assert refused.status_code == 412
    assert "Since you saw it: title changed. You were about to " in refused.text
    assert curating.get(path["href"]).json()["version"] == 2
    assert edit(curating, path, 2, action).status_code == 303


def test_a_script_learns_which_version_has_what_it_sent(curating: TestClient) -> None:
    path = made(curating)
    address, ours = f"/edit/paths/{path['id']}", {"Accept": "application/json"}

    def save(version: int, text: str) -> Any:
        body = urlencode({"version": version, "action": "save", "note:m:01": text})
        return curating.post(address, content=body, headers={**ours, "Sec-Fetch-Site": "same-origin"})

    assert save(1, "A").json() == {"version": 2, "alone": True}
    assert save(2, "A").json() == {"version": 2, "alone": True}
    edit(curating, path, 2, "save", title="Of Ada")
    assert save(2, "B").json() == {"version": 4, "alone": False}
    clash = save(2, "C")
    assert (clash.status_code, clash.headers["content-type"]) == (412, "application/problem+json")
    assert clash.json()["type"] == "/problems/path-conflict"
    del curating.headers["Authorization"]
    late = save(4, "D")
    assert (late.status_code, late.headers["content-type"]) == (401, "application/problem+json")


def test_a_script_never_writes_over_what_its_page_did_not_show(curating: TestClient) -> None:
    path = made(curating)
    address = f"/edit/paths/{path['id']}"
    headers = {"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}

    def save(version: int, item: str, text: str, was: str) -> Any:
        name = f"note:{item}"
        body = urlencode({"version": version, "action": "save", name: text, f"was:{name}": was})
        return curating.post(address, content=body, headers=headers)

    edit(curating, path, 1, "save", **{"note:m:02": "Of Ada."})
    # Ben's page shows version 1; that his first note is stored in version 3 does not show him Ada's
    assert save(1, "m:01", "Of Ben.", "").json() == {"version": 3, "alone": False}
    assert save(3, "m:02", "Of Ben too.", "").status_code == 412
    assert save(3, "m:01", "Of Ben, longer.", "Of Ben.").status_code == 200
    # of texts that are sent together none is stored where one clashes: a script learns no more than that
    both = {
        "note:m:01": "Of both.",
        "was:note:m:01": "Of Ben, longer.",
        "note:m:02": "x",
        "was:note:m:02": "",
    }
    body = urlencode({"version": 3, "action": "save", **both})
    assert curating.post(address, content=body, headers=headers).status_code == 412
    steps = curating.get(path["href"]).json()["steps"]
    assert [step["note"] for step in steps] == ["Of Ben, longer.", "Of Ada.", ""]


def test_a_form_that_comes_too_late_shows_what_was_written(curating: TestClient) -> None:
    path = made(curating)
    del curating.headers["Authorization"]
    late = edit(curating, path, 1, "save", **{"note:m:01": "A <long> note."})
    assert late.status_code == 401
    assert '<input type="hidden" name="note:m:01" value="A &lt;long&gt; note.">' in late.text
    assert f'action="/edit/paths/{path["id"]}"' in late.text
    foreign = curating.post(
        f"/edit/paths/{path['id']}", content="x=1", headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert 'name="x"' not in foreign.text


def test_the_versions_say_what_changed(curating: TestClient) -> None:
    path = made(curating)
    edit(curating, path, 1, "save", **{"note:m:01": "A"})
    edit(curating, path, 2, "save", **{"note:m:01": "AB"})
    edit(curating, path, 3, "remove:m:05")
    edit(curating, path, 4, "publish")
    text = curating.get(f"/edit/paths/{path['id']}").text
    listed = re.findall(r"<p>(\d+: .*?), by ", text)
    # what one curator does at one sitting is one entry, by its last version
    assert listed == [
        "5: published",
        "4: “Approach to Venice” removed; note of “View of Venice”",
        "1: created",
    ]


def test_suggestions_stay_when_one_is_added(curating: TestClient) -> None:
    path = made(curating)
    address = edit(curating, path, 1, "suggest", suggest="location").headers["location"]
    assert address == f"/edit/paths/{path['id']}?suggest=location#next"
    offered = re.findall(r'value="less:([^"]+)"', curating.get(address).text)
    assert offered
    assert not set(offered) & {"m:01", "m:02", "m:05"}
    state = {"suggest": "location", "suggesting": "1"}
    less = edit(curating, path, 1, f"less:{offered[0]}", **state).headers["location"]
    text = curating.get(less).text
    assert offered[0] not in re.findall(r'value="less:([^"]+)"', text)
    assert f'name="unlike" value="{offered[0]}" checked' in text
    added = edit(curating, path, 1, f"add:{offered[0]}", **state).headers["location"]
    assert items(curating, path)[-1] == offered[0]
    left = re.findall(r'value="less:([^"]+)"', curating.get(added).text)
    assert left
    assert offered[0] not in left


def test_a_step_is_searched_for_and_picked(curating: TestClient) -> None:
    path = made(curating)
    address = edit(curating, path, 1, "find", q="palace").headers["location"]
    assert address == f"/edit/paths/{path['id']}?q=palace#add"
    text = curating.get(address).text
    assert 'value="add:m:06"' in text
    added = edit(curating, path, 1, "add:m:06", q="palace").headers["location"]
    assert added == address
    assert "In the path" in curating.get(added).text
    assert "Nothing is found by these words" in curating.get(f"/edit/paths/{path['id']}?q=xyzzy").text


def test_the_desk_has_own_paths_first_and_leads_to_a_new_one(curating: TestClient) -> None:
    own = made(curating, title="A path of mine")
    text = curating.get("/edit").text
    assert text.index("A path of mine") < text.index("Begin a path")
    assert curating.get("/edit/paths", follow_redirects=False).headers["location"] == "/edit"
    assert 'href="/edit/add?item=m%3A06"' in curating.get("/edit?q=palace").text
    send(curating, "/edit/feedback", left="m:01", right="m:02", type="author", fits="yes")
    text = curating.get("/edit").text
    assert "View of Venice and" in text
    assert "</a>: alike in this way, says Some curator, " in text
    assert f'href="/edit/paths/{own["id"]}"' in text


@pytest.mark.parametrize("form", ["jsonld", "csv"])
def test_a_path_that_was_exported_is_begun_anew_from_the_desk(curating: TestClient, form: str) -> None:
    path = made(curating, **NOTED)
    text = curating.get(f"{path['href']}/export?format={form}").text
    begun = send(curating, "/edit/import", format=form, document=text)
    assert begun.status_code == 303
    anew = curating.get(f"/paths/{begun.headers['location'].rpartition('/')[2]}").json()
    for key in ("title", "text", "curator", "steps"):
        assert anew[key] == curating.get(path["href"]).json()[key]
    for wrong in ({"format": "html", "document": text}, {"format": form, "document": "x"}):
        assert send(curating, "/edit/import", **wrong).status_code == 422


def test_an_item_is_added_from_its_own_page(curating: TestClient) -> None:
    path = made(curating)
    text = curating.get("/edit/add?item=m:06").text
    assert "Add Palace in Venice to a path" in text
    assert f'action="/edit/paths/{path["id"]}"' in text
    assert "It is in this path." in curating.get("/edit/add?item=m:01").text
    assert curating.get("/edit/add?item=none").status_code == 404


@pytest.mark.parametrize("address", ["/edit", "/edit/add?item=m:01", "/edit/paths/none"])
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
        ("1", "up:m:09", {}),
        ("1", "move:m:01", {"place": "first"}),
        ("1", "restore:x", {}),
        ("1", "save", {"title": " "}),
    ):
        response = send(curating, f"/edit/paths/{path['id']}", version=version, action=action, **fields)
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
        assert b"changed this path" in late.body
        assert server.ask(f"/view{address}").status == 200
