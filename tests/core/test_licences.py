"""The packages that the program is made of, with their licences."""

from __future__ import annotations

from desktop_app.core.licences import licence_text, list_packages


def test_packages_have_a_licence_with_a_name_and_a_text() -> None:
    packages = list_packages()
    assert len({each.name for each in packages}) == len(packages) > 20
    assert sum(each.licence != "" for each in packages) > 0.9 * len(packages)
    assert sum(licence_text(each) != "" for each in packages) > 0.9 * len(packages)


def test_qt_has_the_text_of_its_licence_though_its_package_has_none() -> None:
    qt = next(each for each in list_packages() if each.name.lower().startswith("pyside6"))
    assert "LGPL" in qt.licence
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in licence_text(qt)
