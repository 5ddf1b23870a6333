"""Pairing files as tournament programs and spreadsheets write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.pairing import Pairing, PairingError, Person, parse_pairings

GOTHA = """<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201" fullVersionNumber="3.48">
  <Players>
    <Player name="LIN" firstName="Hai" grade="3D" rank="3D" club="Hz01" country="CN"/>
    <Player name="STONE" firstName="Ada" grade="1K" rank="1K" club="Lon" country="GB"/>
    <Player name="DE GROOT" firstName="Jan" grade="2K" rank="2K" club="" country="NL"/>
    <Player name="ROSSI" firstName="Eva" grade="5K" rank="5K" club="Rom" country="IT"/>
  </Players>
  <Games>
    <Game roundNumber="1" tableNumber="2" blackPlayer="ROSSIEVA" whitePlayer="DEGROOTJAN"
          handicap="3" knownColor="true" result="RESULT_UNKNOWN"/>
    <Game roundNumber="1" tableNumber="1" blackPlayer="STONEADA" whitePlayer="LINHAI"
          handicap="0" knownColor="false" result="RESULT_UNKNOWN"/>
  </Games>
  <TournamentParameterSet>
    <GeneralParameterSet name="Spring Cup" komi="7.5"/>
  </TournamentParameterSet>
</Tournament>
"""

CHINESE = """台号,轮次,黑方,黑方段位,黑方单位,白方,白方段位,让子,贴目
2,第3轮,林海,5段,杭州,王芳,4段,0,7.5
1,第3轮,"李, 明",3段,北京,张三,6段,2,
3,第3轮,赵六,1段,,,,,
"""


def test_opengotha_gives_names_ranks_clubs_and_terms() -> None:
    first, second = parse_pairings(GOTHA.encode())
    assert first == Pairing(
        1,
        Person("Ada STONE", "1k", "Lon"),
        Person("Hai LIN", "3d", "Hz01"),
        "1",
        0,
        7.5,
        "Spring Cup",
        is_color_known=False,
    )
    assert (second.table, second.white.name, second.handicap) == (2, "Jan DE GROOT", 3)
    assert second.komi is None


def test_tables_counted_from_zero_are_told_as_the_lists_tell_them() -> None:
    shifted = GOTHA.replace('tableNumber="1"', 'tableNumber="0"')
    shifted = shifted.replace('tableNumber="2"', 'tableNumber="1"')
    assert [one.table for one in parse_pairings(shifted.encode())] == [1, 2]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_chinese_table_reads_in_every_coding(coding: str, delimiter: str) -> None:
    text = CHINESE.replace('"李, 明"', "李明").replace(",", delimiter)
    first, second = parse_pairings(text.encode(coding))
    assert (first.table, first.round, first.handicap, first.komi) == (1, "第3轮", 2, None)
    assert first.black == Person("李明", "3段", "北京")
    assert (second.white, second.komi) == (Person("王芳", "4段"), 7.5)


def test_quotes_keep_a_separator_inside_a_name() -> None:
    assert parse_pairings(CHINESE.encode())[0].black.name == "李, 明"


def test_english_headers_read_whatever_their_case_and_order() -> None:
    text = "White player;Black Rank;TABLE;Black_Player;HD\nStone;2d;Table-7;Lin;\n"
    (found,) = parse_pairings(text.encode())
    assert found == Pairing(7, Person("Lin", "2d"), Person("Stone"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"   \n ", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "must be CSV"),
        (b"name,points\nLin,3\n", "missing: table"),
        ("台号,黑方\n1,林\n".encode(), "missing: white"),
        (b"table,black,white\none,Lin,Stone\n", "line 2: expected a whole number"),
        (b"table,black,white,komi\n1,Lin,Stone,many\n", "line 2: komi"),
        (b"table,black,white\n1,Lin,Stone\n1,Li,Wang\n", "table 1 has 2 games"),
        (b"table,black,white\n1,Lin,\n", "no game with two players"),
        (b'table,black,white\n1,"Lin,Stone\n', "no CSV"),
        (b"<html><body/></html>", "expected a Tournament"),
        (b"<Tournament>", "no XML"),
        (b"<Tournament/>", "no game"),
        (GOTHA.replace('name="ROSSI"', 'name="ROSA"').encode(), "not in the list"),
        (b'<!DOCTYPE a [<!ENTITY b "b">]><Tournament/>', "document type"),
        (b'<?xml version="1.0" encoding="nonsense"?><Tournament/>', "no XML"),
        (b'<?xml version="1.0" encoding="GB18030"?><Tournament/>', "no XML"),
        (b",,,\n", "missing: table"),
        (b"table,black,white\n12345,Lin,Stone\n", "in 0-9999, got '12345'"),
        (b"table,black,white\n-3,Lin,Stone\n", "in 0-9999, got '-3'"),
    ],
)
def test_what_is_no_pairing_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises(PairingError, match=message):
        parse_pairings(data)


def test_a_line_of_headers_a_thousand_columns_wide_is_refused() -> None:
    with pytest.raises(PairingError):
        parse_pairings(b",".join([b"x"] * 1000))


@given(st.binary(max_size=400))
def test_any_bytes_are_pairings_or_are_refused(data: bytes) -> None:
    try:
        found = parse_pairings(data)
    except PairingError:
        return
    assert found


@given(st.text(max_size=200).map(lambda text: f"table,black,white\n1,{text},b\n"))
def test_any_name_reads_or_is_refused(text: str) -> None:
    try:
        parse_pairings(text.encode("utf-8", "surrogatepass"))
    except PairingError:
        return
