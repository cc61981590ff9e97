"""Asks for the address of a shared library, and for the password of its user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QWidget

from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.shared_address import (
    SharedAddress,
    SharedStatus,
    default_sslmode,
    is_library_name,
    is_shared_address,
    parse_server,
    parse_shared_address,
)
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.file_dialogs import choose_file, make_filters
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import CheckBox, ChoiceBox
from desktop_app.gui.widgets.forms import fill_choices
from desktop_app.gui.widgets.labels import make_label, set_tone
from desktop_app.gui.widgets.layouts import grow_to_contents, make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.gui.base.session import LibrarySession

_MARKS = {"good": "✓", "warn": "!", "bad": "✗"}


class SharedLibraryDialog(QDialog):
    """Asks where a shared library is, and tests it.

    Attributes:
        signed_in: the person opens the library; carries its address, the password (None: the stored one), and whether
            to store it.
    """

    signed_in = Signal(object, object, bool)

    def __init__(self, session: LibrarySession, address: SharedAddress | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._test = LatestJob[SharedStatus](session, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open a shared library"))
        self.setAccessibleName(self.windowTitle())
        about = make_label(
            self.tr("A shared library is on a server. Ask the person who set it up for these details."),
            tone="muted",
            wrap=True,
            name=self.windowTitle(),
        )
        self.server = QLineEdit()
        self.server.setPlaceholderText(self.tr("e.g. archive.example.org, or paste a whole address"))
        self.database = QLineEdit("kindred")
        self.library = QLineEdit()
        self.library.setPlaceholderText(self.tr("e.g. newsroom"))
        self.user = QLineEdit()
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setPlaceholderText(self.tr("Leave empty to use the stored one"))
        self.keep = CheckBox(self.tr("&Remember the password in the system's keyring"))
        self.keep.setChecked(True)
        self.security = ChoiceBox()
        fill_choices(
            self.security,
            [
                (self.tr("Encrypted, certificate checked"), "verify-full"),
                (self.tr("Encrypted, certificate not checked"), "require"),
                (self.tr("Not encrypted"), "disable"),
            ],
            "verify-full",
        )
        self.security.view().setAccessibleName(self.tr("Security"))
        self.certificate = QLineEdit()
        self.certificate.setPlaceholderText(self.tr("The system's certificates"))
        self.choose = make_push_button(self.tr("&Choose…"), self.tr("Choose a file with certificates"))
        self.choose.clicked.connect(self._choose_certificate)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(8)
        self._add(form, self.tr("&Server"), self.server)
        self._add(form, self.tr("&Database"), self.database)
        self._add(form, self.tr("&Library"), self.library)
        self._add(form, self.tr("&User"), self.user)
        self._add(form, self.tr("&Password"), self.password)
        form.addRow("", self.keep)
        self._add(form, self.tr("S&ecurity"), self.security)
        self._add(form, self.tr("Cer&tificates"), self.certificate, make_row((self.certificate, 1), self.choose))
        self.outcome = make_label(wrap=True, name=self.tr("Result of the test"))
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.outcome.hide()
        self.test = make_push_button(self.tr("Te&st"), self.tr("Test the connection"))
        leave = make_push_button(self.tr("Cancel"))
        self.open_button = make_push_button(self.tr("&Open"), tone="primary")
        self.open_button.setDefault(True)
        self.test.clicked.connect(self._start_test)
        leave.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._open)
        buttons = make_row(self.test, "stretch", leave, self.open_button, spacing=10)
        make_column(about, form, self.outcome, "stretch", buttons, parent=self, margins=(22, 18, 22, 16), spacing=12)
        set_initial_size(self, 560, 520)
        self._typed = self.server.text()
        self.server.textEdited.connect(self._on_server_edited)
        self.server.editingFinished.connect(self._take_address)
        self.security.currentIndexChanged.connect(self._refresh)
        if address is not None:
            self._fill(address)
        self._refresh()
        (self.server if address is None else self.password).setFocus()

    def done(self, result: int) -> None:
        """Drop a test that still runs."""
        self._test.drop()
        super().done(result)

    def _add(self, form: QFormLayout, label: str, field: QWidget, row: QHBoxLayout | None = None) -> None:
        field.setAccessibleName(label.replace("&", ""))
        name = make_label(label, name=label.replace("&", ""))
        name.setBuddy(field)
        if row is None:
            form.addRow(name, field)
        else:
            form.addRow(name, row)

    def _fill(self, address: SharedAddress) -> None:
        self.server.setText(address.server)
        self.database.setText(address.database)
        self.library.setText(address.library)
        self.user.setText(address.user)
        mode = address.sslmode if address.sslmode != "verify-ca" else "verify-full"
        self.security.setCurrentIndex(self.security.findData(mode))
        self.certificate.setText(address.certificate)

    def _on_server_edited(self, text: str) -> None:
        """Take a pasted address apart, and suggest how the connection to this server is secured."""
        is_pasted = len(text) > len(self._typed) + 1
        self._typed = text
        if is_shared_address(text.strip()):
            if is_pasted:
                self._take_address()
            return  # one that is typed is complete when the person leaves the field
        host, _port = parse_server(text.strip())
        if host:
            self.security.setCurrentIndex(self.security.findData(default_sslmode(host)))

    def _take_address(self) -> None:
        """Take a whole address in the first field apart."""
        text = self.server.text().strip()
        if is_shared_address(text):
            try:
                self._fill(parse_shared_address(text))
            except UsageError as error:
                self._show([("bad", f"{display_text.translate_message(error.message)}.")])

    def _refresh(self) -> None:
        is_checked = self.security.currentData() == "verify-full"
        self.certificate.setEnabled(is_checked)
        self.choose.setEnabled(is_checked)

    def _choose_certificate(self) -> None:
        title = self.tr("Choose the file with the server's certificate or its authority's")
        choose_file(self, title, self.certificate.setText, make_filters(self.tr("Certificates"), "*.pem *.crt *.cer"))

    def address(self) -> SharedAddress | None:
        """Return the address in the fields; None if something is missing, which is then named."""
        self._take_address()
        host, port = parse_server(self.server.text().strip())
        database, library = self.database.text().strip(), self.library.text().strip()
        for field, is_right, text in (
            (self.server, bool(host), self.tr("Enter the name of the server.")),
            (self.database, bool(database), self.tr("Enter the name of the database.")),
            (
                self.library,
                is_library_name(library),
                self.tr("A library's name has small letters, digits, _ and -, and begins with a letter."),
            ),
            (self.user, bool(self.user.text().strip()), self.tr("Enter your name on the server.")),
        ):
            if not is_right:
                self._show([("bad", text)])
                field.setFocus()
                return None
        mode = self.security.currentData()
        return SharedAddress(
            host,
            database,
            library,
            self.user.text().strip(),
            port,
            mode,
            self.certificate.text().strip() if mode == "verify-full" else "",
        )

    def _start_test(self) -> None:
        address = self.address()
        if address is None:
            return
        self._show([("", self.tr("Connecting to {server}…").format(server=address.server))])
        job = self._session.workspace.administration.test(address, self.password.text() or None)
        self._test.start(job, lambda status: self._show(describe_test(address, status)), on_error=self._on_refused)

    def _on_refused(self, error: BaseException) -> None:
        self._show([("bad", explain_sign_in(error))])

    def _show(self, lines: list[tuple[str, str]]) -> None:
        """Show lines, each with its tone."""
        text = "\n".join(f"{_MARKS[tone]}  {line}" if tone else line for tone, line in lines)
        tones = {tone for tone, _ in lines}
        set_tone(self.outcome, next((tone for tone in ("bad", "warn") if tone in tones), ""))
        self.outcome.setText(text)
        self.outcome.setAccessibleDescription(text)
        self.outcome.show()
        grow_to_contents(self)  # a long result needs more room than the fields can give

    def _open(self) -> None:
        address = self.address()
        if address is not None:
            password = self.password.text()
            self.signed_in.emit(address, password or None, bool(password) and self.keep.isChecked())
            self.accept()


class PasswordDialog(QDialog):
    """Asks for the password of a shared library that could not be opened.

    Attributes:
        signed_in: as of SharedLibraryDialog.
    """

    signed_in = Signal(object, object, bool)

    def __init__(self, address: SharedAddress, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._address = address
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Password for {library}").format(library=address.library))
        self.setAccessibleName(self.windowTitle())
        heading = make_label(
            self.tr("{user} on {server}").format(user=address.user, server=address.server),
            weight=QFont.Weight.DemiBold,
            name=self.windowTitle(),
        )
        about = make_label(explain_sign_in(error), tone="muted", wrap=True, name=self.windowTitle())
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setAccessibleName(self.tr("Password"))
        self.keep = CheckBox(self.tr("&Remember the password in the system's keyring"))
        self.keep.setChecked(True)
        leave = make_push_button(self.tr("Cancel"))
        enter = make_push_button(self.tr("&Open"), tone="primary")
        enter.setDefault(True)
        leave.clicked.connect(self.reject)
        enter.clicked.connect(self._enter)
        buttons = make_row("stretch", leave, enter, spacing=10)
        make_column(
            heading, about, self.password, self.keep, "stretch", buttons,
            parent=self, margins=(22, 18, 22, 16), spacing=10,
        )  # fmt: skip
        set_initial_size(self, 460, 220)
        self.password.setFocus()

    def _enter(self) -> None:
        self.signed_in.emit(self._address, self.password.text(), self.keep.isChecked())
        self.accept()


def explain_sign_in(error: BaseException) -> str:
    """Return why a library cannot be opened and what to do about it in this window."""
    message, hint = display_text.describe_error(error)
    code = error.message.code if isinstance(error, AppError) else ""
    hints = {
        "password_needed": translate("sign_in", "Enter it, then try again."),
        "refused": translate("sign_in", "Check the user name and the password."),
    }
    return f"{message}. {hints.get(code, hint)}".strip()


def describe_test(address: SharedAddress, status: SharedStatus) -> list[tuple[str, str]]:
    """Return what a test has found, line by line, each with its tone."""
    lines = [
        (
            "good",
            translate("sign_in", "Connected to {server} as {user}.").format(server=address.server, user=status.user),
        )
    ]
    if not status.is_encrypted:
        is_near = default_sslmode(address.host) == "disable"
        lines.append(("" if is_near else "warn", translate("sign_in", "The connection is not encrypted.")))
    elif address.sslmode == "require":
        lines.append(
            ("warn", translate("sign_in", "The connection is encrypted, but the certificate was not checked."))
        )
    else:
        lines.append(("good", translate("sign_in", "The connection is encrypted, and the certificate is right.")))
    versions = translate("sign_in", "PostgreSQL {server}, pgvector {vector}.")
    lines.append(("good", versions.format(server=status.server, vector=status.pgvector)))
    if status.version is None:
        text = translate("sign_in", "There is no library {library} in the database {database}.")
        return [*lines, ("bad", text.format(library=address.library, database=address.database))]
    if status.version // 1000 > status.newest // 1000:
        return [
            *lines,
            ("bad", translate("sign_in", "A newer version of Kindred upgraded the library. Install that version.")),
        ]
    if status.version // 1000 < status.newest // 1000:
        text = translate("sign_in", "The library has to be upgraded first. Ask the person who created it.")
        return [*lines, ("bad", text)]
    rights = {
        "reader": ("good", translate("sign_in", "You may search and read.")),
        "writer": ("good", translate("sign_in", "You may search, read, import and change.")),
        "owner": ("good", translate("sign_in", "You own the library: you may change it and give rights to others.")),
        "none": ("bad", translate("sign_in", "You have no rights in the library. Ask its owner.")),
    }
    lines.append(rights[status.right])
    if status.version < status.newest:
        text = translate("sign_in", "An older version of Kindred created the library: some features need an upgrade.")
        lines.append(("warn", text))
    if status.model and status.is_model_here is False:
        text = translate("sign_in", "Its model, {name}, is not on this computer. Add it under Preferences > Models.")
        if status.model_bytes:
            text = translate(
                "sign_in", "Its model, {name}, is not on this computer. You can get it from the library: {size}."
            )
        size = display_text.format_size(status.model_bytes)
        lines.append(("warn", text.format(name=status.model, size=size)))
    elif status.model:
        lines.append(
            ("good", translate("sign_in", "Its model, {name}, is on this computer.").format(name=status.model))
        )
    counts = f"{display_text.count_documents(status.documents)}, {display_text.count_sentences(status.sentences)}."
    return [*lines, ("good", counts)]
