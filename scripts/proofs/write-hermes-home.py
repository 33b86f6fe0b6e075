"""Writes a small home with the code of one hermes-agent wheel, nothing of it by hand.

Run with HERMES_HOME set and the unpacked wheel first on PYTHONPATH:
    python write-hermes-home.py SAID [--killed]
SAID is the file that gets all messages as that program reads them back. With --killed the program ends as if it had been
killed: what it wrote last is still in the log beside its database.
"""

import inspect
import itertools
import json
import os
import sys
import time
from pathlib import Path

# One second a reading, so that the same wheel writes the same times.
_clock = itertools.count(1_760_000_000)
time.time = lambda: float(next(_clock))

HOME = Path(os.environ["HERMES_HOME"])

from hermes_cli import config as cfg  # noqa: E402

cfg.ensure_hermes_home()
settings = cfg.load_config()
settings["model"] = {"default": "anthropic/claude-sonnet-4.6", "provider": "openrouter"}
settings.setdefault("agent", {})["max_turns"] = 40
cfg.save_config(settings)
cfg.set_config_value("display.show_reasoning", "true")
cfg.set_config_value("memory.memory_char_limit", "2400")
KEY = "sk-or-v1-" + "5f3a" * 12
cfg.save_env_value("OPENROUTER_API_KEY", KEY)
cfg.save_env_value("TAVILY_API_KEY", "tvly-" + "9c1e" * 8)
soul = HOME / "SOUL.md"
soul.write_text("# Soul\n\nYou answer like a patient ornithologist.\n", encoding="utf-8")

from tools import memory_tool as memory  # noqa: E402

store = memory.MemoryStore()
store.load_from_disk()
for target, words in [
    ("memory", "The heron survey lives in ~/projects/heron and its tests run with: make check"),
    ("memory", "Deploys go out on Thursdays, never on Fridays"),
    ("user", "Prefers short answers and metric units"),
]:
    assert store.add(target, words)["success"], words

from tools import skill_manager_tool as skills  # noqa: E402

made = json.loads(
    skills.skill_manage(
        action="create",
        name="count-herons",
        category="field-work",
        content="---\nname: count-herons\ndescription: Counts herons on a photo and writes the number down\n---\n\n"
        "# Count herons\n\n1. Look at the photo.\n2. Write the number into counts.csv.\n",
    )
)
assert made["success"], made
assert json.loads(
    skills.skill_manage(
        action="write_file", name="count-herons", file_path="references/species.md", file_content="Grey heron\nPurple heron\n"
    )
)["success"]

# Skills the program brings along: one stays as it came, one was changed by its owner.
bundled = HOME.parent / "bundled-skills"
for name in ["watch-birds", "feed-birds"]:
    page = bundled / "birds" / name / "SKILL.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"---\nname: {name}\ndescription: Tells how to {name.replace('-', ' ')}\n---\n\n# {name}\n\nQuietly.\n", encoding="utf-8")
    (page.parent / "scripts").mkdir(exist_ok=True)
    (page.parent / "scripts" / "go.sh").write_text("echo tweet\n", encoding="utf-8")
os.environ["HERMES_BUNDLED_SKILLS"] = str(bundled)
from tools import skills_sync  # noqa: E402

skills_sync.sync_skills(quiet=True)
with open(HOME / "skills" / "birds" / "feed-birds" / "SKILL.md", "a", encoding="utf-8") as page:
    page.write("\nOnly in winter.\n")

from hermes_state import SessionDB  # noqa: E402

db = SessionDB(HOME / "state.db")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def say(session, role, content, **more):
    known = inspect.signature(db.append_message).parameters
    return db.append_message(session, role, content=content, **{key: value for key, value in more.items() if key in known})


def begin(session, source, **more):
    known = inspect.signature(db._insert_session_row).parameters if hasattr(db, "_insert_session_row") else {}
    extra = {key: value for key, value in more.items() if key in known or key in ("model", "model_config", "user_id", "parent_session_id")}
    db.create_session(session, source, **extra)


MODEL = "anthropic/claude-sonnet-4.6"

# A session with tools, reasoning, a title and costs.
first = "20251009_091500_a1b2c3"
begin(first, "cli", model=MODEL, cwd="/home/user/projects/heron")
say(first, "user", "How many herons are in the survey folder?")
say(
    first,
    "assistant",
    "Let me count the files.",
    tool_calls=[
        {"id": "call_1", "type": "function", "function": {"name": "terminal", "arguments": json.dumps({"command": "ls survey | wc -l"})}},
        {"id": "call_2", "type": "function", "function": {"name": "read_file", "arguments": json.dumps({"path": "survey/notes.md"})}},
    ],
    finish_reason="tool_calls",
    reasoning="The user wants a number.",
)
say(first, "tool", json.dumps({"output": "seventeen entries", "exit_code": 0}), tool_call_id="call_1", tool_name="terminal")
say(first, "tool", "Field notes: the purple heron was seen twice.", tool_call_id="call_2", tool_name="read_file")
say(first, "assistant", "There are seventeen herons in the survey.", finish_reason="stop")
say(first, "user", f"Danke! Mein Schlüssel ist {KEY}, und wie viele Silberreiher?")
say(first, "assistant", "Drei Silberreiher, laut den Notizen.", finish_reason="stop")
db.set_session_title(first, "Heron survey")
db.update_token_counts(
    first, input_tokens=5200, output_tokens=310, cache_read_tokens=3100, cache_write_tokens=900, model=MODEL,
    estimated_cost_usd=0.0214, billing_provider="openrouter", billing_base_url="https://openrouter.ai/api/v1",
)
db.end_session(first, "user_exit")

# Several parts in one message, and words of other scripts.
picture = "20251010_120000_0badf0"
begin(picture, "telegram", model=MODEL, user_id="4711")
say(picture, "user", [
    {"type": "text", "text": "这是一只苍鹭吗？"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64," + PNG}},
])
say(picture, "assistant", "是的，这是一只苍鹭。", finish_reason="stop")
db.set_session_title(picture, "苍鹭 photo")

# A session that was split when it was compressed.
long = "20251011_080000_00ff11"
begin(long, "cli", model=MODEL)
say(long, "user", "Plan the kingfisher inventory.")
say(long, "assistant", "First the river, then the canal.", finish_reason="stop")
db.end_session(long, "compression")
rest = "20251011_093000_00ff12"
begin(rest, "cli", model=MODEL, parent_session_id=long)
say(rest, "user", "Summary of the earlier conversation: the kingfisher inventory begins at the river.")
say(rest, "assistant", "Understood, the canal is next.", finish_reason="stop")

# A child that worked for another session.
child = "20251009_091630_c0ffee"
begin(child, "subagent", model=MODEL, parent_session_id=first, model_config={"_delegate_from": first})
say(child, "user", "Look up the wingspan of a goliath heron.")
say(child, "assistant", "Up to 230 centimeters.", finish_reason="stop")

# Sessions that were cut off: a call without a result, a message without an answer, two messages in a row.
cut = "20251012_070000_dead01"
begin(cut, "cli", model=MODEL)
say(cut, "user", "Start the bittern server.")
say(cut, "assistant", "", tool_calls=[
    {"id": "call_9", "type": "function", "function": {"name": "terminal", "arguments": "{\"command\": \"./bittern"}},
], finish_reason="tool_calls")
say(cut, "user", "Are you still there?")
say(cut, "user", "Never mind the bittern.")
lost = "20251012_071500_dead02"
begin(lost, "cli", model=MODEL)
say(lost, "tool", "A spoonbill without a question.", tool_call_id="call_0", tool_name="web_extract")
say(lost, "assistant", "That was a spoonbill.", finish_reason="stop")
say(lost, "user", "Unanswered egret.")

# What only later versions can do.
if hasattr(db, "rewind_to_message"):
    back = "20251013_100000_beef01"
    begin(back, "cli", model=MODEL)
    say(back, "user", "Name a stork.")
    say(back, "assistant", "The marabou.", finish_reason="stop")
    wrong = say(back, "user", "Now a crane, please.")
    say(back, "assistant", "The wattled crane.", finish_reason="stop")
    db.rewind_to_message(back, wrong)
    say(back, "user", "Now a pelican instead.")
    say(back, "assistant", "The dalmatian pelican.", finish_reason="stop")
if hasattr(db, "archive_and_compact"):
    packed = "20251014_100000_beef02"
    begin(packed, "cli", model=MODEL)
    for bird in ["cormorant", "gannet", "booby"]:
        say(packed, "user", f"Tell me about the {bird}.")
        say(packed, "assistant", f"The {bird} dives.", finish_reason="stop")
    db.archive_and_compact(packed, [
        {"role": "user", "content": "Summary: three diving birds were discussed."},
        {"role": "assistant", "content": "I have the summary of the divers."},
    ])
    say(packed, "user", "And the frigatebird?")
    say(packed, "assistant", "It steals.", finish_reason="stop")

# Never used: nothing to take over.
begin("20251015_000000_000000", "cli", model=MODEL)

from cron import jobs  # noqa: E402

jobs.create_job("Summarize the heron news", "0 7 * * *", name="morning brief")

rows = db._conn.execute("SELECT session_id, role, content FROM messages ORDER BY id").fetchall()
messages = [{"session": row[0], "role": row[1], "content": SessionDB._decode_content(row[2]) if hasattr(SessionDB, "_decode_content") else row[2]} for row in rows]
Path(sys.argv[1]).write_text(json.dumps({"messages": messages}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
if "--killed" in sys.argv:
    os._exit(0)
db.close()
