"""Laws of the layout: the same tokens, the same model, done once is enough."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import cases

from apet.cli.main import main
from apet.editor.layout import laid_out, tokens
from apet.ground.source import Source
from apet.model.pamela import parse
from apet.model.printer import print_model

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((*ROOT.glob("samples/pamela/*.pam"), *ROOT.glob("samples/pasl/*.pasl")))
COMMENTS = st.sampled_from(["// x", "/* y */", "/* a\n   b */", "", "", ""])


def texts_of(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_samples_are_laid_out(path: Path) -> None:
    assert laid_out(path.read_text()) == path.read_text()


@settings(max_examples=40)
@given(cases().map(lambda case: case.text), st.data())
def test_the_model_stays_the_same_however_it_was_spaced(text: str, data: st.DataObject) -> None:
    spaced = ""
    for token in tokens(text):
        between = data.draw(st.sampled_from([" ", "\n", "  \n\n\n ", "\t"]))
        comment = data.draw(COMMENTS)
        spaced += token.text + between + comment + ("\n" if comment else "")
    new = laid_out(spaced)
    assert texts_of(new) == texts_of(spaced)
    assert laid_out(new) == new
    assert print_model(parse(Source("", new))) == print_model(parse(Source("", text)))
    assert "\n\n\n" not in new
    assert not any(line != line.rstrip() for line in new.splitlines())


def test_a_mess_is_put_in_order() -> None:
    mess = """param   P ;param n=10kB in[1,1e9];// size

/* the farm */ L=par(p=1,P)worker [ p ] ;
  worker[p]={send[0,p]( n ) ;
 if(0.5){a[p];}else{ }


   ; use(p,seq(i=-1,n/2)b[p+i*2^-1])}
   || delay( 3ms ) ; // end
 c[1]; d
;"""
    assert (
        laid_out(mess)
        == """param P;
param n = 10 kB in [1, 1e9];      // size

/* the farm */
L = par (p = 1, P) worker[p];
worker[p] = {
    send[0, p](n);
    if (0.5) { a[p]; } else {}

    ; use(p, seq (i = -1, n / 2) b[p + i * 2^-1])
}
    || delay(3 ms);  // end
    c[1]; d
    ;
"""
    )


def test_files_are_rewritten_only_where_all_parse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "a.pam", tmp_path / "b.pam"
    good.write_text("L=a[1];")
    bad.write_text("L = a[;")
    assert main(["format", str(good), str(bad)]) == 2
    assert good.read_text() == "L=a[1];"
    assert "b.pam:1:7" in capsys.readouterr().err
    assert main(["format", "--check", str(good)]) == 2
    assert main(["format", "--diff", str(good)]) == 0
    assert "+L = a[1];" in capsys.readouterr().out
    assert main(["format", str(good)]) == 0
    assert good.read_text() == "L = a[1];\n"
    assert main(["format", "--check", str(good)]) == 0


def test_standard_input_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"L=a[1]; b;")))
    assert main(["format", "-"]) == 0
    assert capsys.readouterr().out == "L = a[1]; b;\n"


def test_a_model_of_one_thousand_levels_is_laid_out() -> None:
    text = "L = " + "{\n" * 1000 + "a" + "}\n" * 1000 + ";"
    new = laid_out(text)
    assert laid_out(new) == new
    assert texts_of(new) == texts_of(text)
