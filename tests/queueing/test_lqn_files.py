"""Files of LQNS, as text and in XML, are layered queues of ours, or are refused by name and place."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from random import Random

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.read import read_queue
from apet.queueing.read.lqn_text import lqn_of_text
from apet.queueing.read.lqn_xml import lqn_of_xml

XML = """<lqn-model name="small">
  <processor name="p1" scheduling="inf">
    <task name="u" scheduling="ref" multiplicity="3" think-time="1.5">
      <entry name="go" type="PH1PH2"><entry-phase-activities>
        <activity name="x" phase="1" host-demand-mean="0.5" call-order="DETERMINISTIC">
          <synch-call dest="serve" calls-mean="2"/></activity>
      </entry-phase-activities></entry>
    </task>
  </processor>
  <processor name="p2" scheduling="ps" quantum="0.1" multiplicity="2">
    <task name="s" scheduling="fcfs" multiplicity="4">
      <entry name="serve" type="NONE"/>
      <task-activities>
        <activity name="a" bound-to-entry="serve" host-demand-mean="0.25" host-demand-cvsq="0.5"/>
        <activity name="b" host-demand-mean="0.4"><asynch-call dest="log" calls-mean="0.5"/></activity>
        <activity name="c" host-demand-mean="0.1"/>
        <precedence><pre><activity name="a"/></pre>
          <post-OR><activity name="b" prob="0.3"/><activity name="c" prob="0.7"/></post-OR></precedence>
        <reply-entry name="serve"><reply-activity name="b"/><reply-activity name="c"/></reply-entry>
      </task-activities>
    </task>
    <task name="l" scheduling="inf"><entry name="log" type="PH1PH2" open-arrival-rate="0.2">
      <entry-phase-activities><activity name="y" phase="1" host-demand-mean="0.3"/></entry-phase-activities>
    </entry></task>
  </processor>
</lqn-model>"""
TEXT = """G "small" 1e-5 50 5 0.9 -1
P 2 p p1 i p p2 s 0.1 m 2 -1
T 3 t u r go -1 p1 z 1.5 m 3   t s n serve -1 p2 m 4   t l i log -1 p2 -1
E 3 s go 0.5 -1 f go 1 -1 y go serve 2 -1 A serve a s log 0.3 -1 a log 0.2 -1
A s
 s a 0.25 c a 0.5
 s b 0.4 z b log 0.5
 s c 0.1
: a -> (0.3) b + (0.7) c ; b[serve] ; c[serve]
-1
"""


def test_both_forms_of_a_file_of_lqns_are_one_model(tmp_path: Path) -> None:
    for name, text in (("small.lqnx", XML), ("small.lqn", TEXT)):
        (tmp_path / name).write_text(text)
    problem = read_queue(tmp_path / "small.lqnx").problem
    assert read_queue(tmp_path / "small.lqn").problem == problem
    assert lqn_of_xml(Source("a", XML)).content.keys() == lqn_of_text(Source("a", TEXT)).content.keys()

    assert main(["import", str(tmp_path / "small.lqn"), "-o", str(tmp_path / "ours.toml")]) == 0
    assert read_queue(tmp_path / "ours.toml").problem == problem


def test_names_of_any_characters_are_written_as_toml_has_them(tmp_path: Path) -> None:
    (tmp_path / "a.lqnx").write_text(XML.replace('"serve"', '"sérve \U0001f600 \x7f&quot;"'), encoding="utf-8")
    assert main(["import", str(tmp_path / "a.lqnx"), "-o", str(tmp_path / "ours.toml")]) == 0
    assert read_queue(tmp_path / "ours.toml").problem == read_queue(tmp_path / "a.lqnx").problem


def test_priorities_of_lqns_are_greatest_first(tmp_path: Path) -> None:
    text = TEXT.replace("p2 s 0.1 m 2", "p2 h m 2").replace("p2 m 4", "p2 7 m 4")
    (tmp_path / "a.lqn").write_text(text)
    tasks = read_queue(tmp_path / "a.lqn").problem.tasks  # type: ignore[union-attr]
    assert [t.priority for t in tasks if t.name in ("s", "l")] == [1, 8]


@pytest.mark.parametrize(
    ("old", "new", "problem", "line"),
    [
        ("p p1 i", "p p1 r", "scheduling 'r' of processors: this is not modelled", 2),
        ("t s n", "t s S", "scheduling 'S' of tasks: this is not modelled", 3),
        ("m 4 ", "r 4 ", "replication: this is not modelled", 3),
        ("s go 0.5", "s go $d", "variables have no values here", 4),
        ("s go 0.5", "V go s go 0.5", "semaphores: this is not modelled", 4),
        ("serve 2 -1", "sreve 2 -1", "'sreve' is none of the entries; did you mean 'serve'", 3),
        ("c a 0.5", "c a 0.7", "a squared coefficient of variation of 0.7: this is not modelled", 6),
        ("(0.3) b", "(0.4) b", "there is one for each, and their sum is 1", 9),
        ("log 0.5", "serve 0.5", "it waits for itself: s -> s", 3),
        ("A s\n", "A s\n q a 3", "'q' of activities: this is not modelled", 6),
        ("; c[", "; %[", "'%' where this should be a name", 9),
        ("m 4 ", "m 2.5 ", "a multiplicity of 2.5", 3),
        ("m 4 ", "m -5 ", "a multiplicity of -5", 3),
        ("m 4 ", "z 4 ", "the think time of a task that serves: this is not modelled", 3),
        ("m 4 ", "1.5 ", "a priority of 1.5", 3),
        ("z 1.5 m 3", "i", "a reference task without a number of users: this is not modelled", 3),
        ("f go 1 -1", "f go 1 -1 s go 2 -1", "demand is given twice", 4),
        ("serve 2 -1", "serve 2 -1 y go serve 1 -1", "serve is given twice", 4),
        ("c a 0.5", "c a 1e-310", "a squared coefficient of variation of 1e-310", 6),
        ("(0.3) b + (0.7) c", "3 * b , c , 2 * b", "a number of rounds is missing", 9),
        ("(0.3) b + (0.7) c", "b + c", "this is none of the lists of activities", 9),
        ("(0.3) b + (0.7) c", "(0.3) b + c", "a probability is missing", 9),
        ("a -> (0.3) b", "a & b + c -> (0.3) b", "& and + in one list", 9),
    ],
)
def test_what_is_not_modelled_is_refused_by_name_and_place(
    old: str, new: str, problem: str, line: int, tmp_path: Path
) -> None:
    text = TEXT.replace(old, new, 1)
    if "waits for itself" in problem:
        text = text.replace("z b serve", "y b serve")
    (tmp_path / "small.lqn").write_text(text)
    with pytest.raises(ApetError) as raised:
        read_queue(tmp_path / "small.lqn")
    first = raised.value.diagnostics[0]
    assert problem in first.text
    assert first.span is not None
    assert first.source is not None
    assert first.source.position(first.span.start)[0] == line


def test_xml_may_not_declare_entities() -> None:
    with pytest.raises(ApetError, match="may not declare entities"):
        lqn_of_xml(Source("a.lqnx", f'<!DOCTYPE a [<!ENTITY b "c">]>{XML}'))


@pytest.mark.parametrize(("name", "text"), [("a.lqn", TEXT), ("a.lqnx", XML)])
def test_damaged_files_are_read_or_refused(name: str, text: str, tmp_path: Path) -> None:
    random, words = Random(5), re.findall(r'\s+|"[^"]*"|[\w.\-]+|.', text)
    for _ in range(300):
        damaged, at = list(words), random.randrange(len(words))
        damaged[at] = random.choice(["", "-1", "0", "1e308", "-5", "i", "@infinity", random.choice(words)])
        (tmp_path / name).write_text("".join(damaged))
        with contextlib.suppress(ApetError):
            read_queue(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('phase="1"', 'phase="@infinity"', "a phase inf"),
        ('phase="1"', 'phase="0"', "a phase 0"),
        ('phase="1"', 'phase="10000000000"', "a phase 1e"),
        ('multiplicity="4"', 'priority="@infinity"', "a priority of inf"),
        ('multiplicity="4"', 'queue-length="2"', "a queue of limited size"),
        ('name="serve" type', 'name="serve" priority="3" type', "priorities of entries"),
    ],
)
def test_attributes_that_mean_nothing_here_are_refused(old: str, new: str, problem: str) -> None:
    with pytest.raises(ApetError, match=re.escape(problem)):
        lqn_of_xml(Source("a.lqnx", XML.replace(old, new, 1)))


def test_a_loop_of_no_rounds_has_its_end_alone() -> None:
    loop = '<post-LOOP end="c"><activity name="b" count="0"/></post-LOOP>'
    rows = lqn_of_xml(Source("a.lqnx", re.sub("<post-OR>.*</post-OR>", loop, XML))).content["precedences"]
    assert [(row["then"], row["counts"]) for row in rows] == [(["b", "c"], [0])]


def test_long_words_take_no_longer_than_their_length() -> None:
    with pytest.raises(ApetError, match="is no number"):
        lqn_of_text(Source("a.lqn", TEXT.replace("log 0.5", f"log {'1' * 200_000}x")))
