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
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Open Library…</source>
        <translation>Bibliothek &amp;öffnen…</translation>
    </message>
    <message>
        <source>Choose another library; it opens at the next start</source>
        <translation>Eine andere Bibliothek wählen; sie wird beim nächsten Start geöffnet</translation>
    </message>
    <message>
        <source>&amp;New Library…</source>
        <translation>&amp;Neue Bibliothek…</translation>
    </message>
    <message>
        <source>Begin a new library in a folder of its own; it opens at the next start</source>
        <translation>Eine neue Bibliothek in einem eigenen Ordner beginnen; sie wird beim nächsten Start geöffnet</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Theme, model, device, library and limits</source>
        <translation>Darstellung, Modell, Gerät, Bibliothek und Grenzen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window; an import goes on at the next start</source>
        <translation>Das Fenster schließen; ein Import wird beim nächsten Start fortgesetzt</translation>
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
        <source>&amp;Next Hit</source>
        <translation>&amp;Nächster Treffer</translation>
    </message>
    <message>
        <source>Choose the next hit</source>
        <translation>Den nächsten Treffer wählen</translation>
    </message>
    <message>
        <source>&amp;Previous Hit</source>
        <translation>&amp;Voriger Treffer</translation>
    </message>
    <message>
        <source>Choose the previous hit</source>
        <translation>Den vorigen Treffer wählen</translation>
    </message>
    <message>
        <source>&amp;Copy with Citation</source>
        <translation>Mit &amp;Quelle kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen sentence with its document and page</source>
        <translation>Den gewählten Satz mit Dokument und Seite kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Sentence</source>
        <translation>&amp;Satz kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen sentence alone</source>
        <translation>Nur den gewählten Satz kopieren</translation>
    </message>
    <message>
        <source>&amp;More Context</source>
        <translation>&amp;Mehr Umgebung</translation>
    </message>
    <message>
        <source>Show more of the sentences before and after the chosen hit</source>
        <translation>Mehr Sätze vor und nach dem gewählten Treffer zeigen</translation>
    </message>
    <message>
        <source>&amp;Less Context</source>
        <translation>&amp;Weniger Umgebung</translation>
    </message>
    <message>
        <source>Show the chosen hit with its neighbours alone</source>
        <translation>Den gewählten Treffer nur mit seinen Nachbarn zeigen</translation>
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
        <source>&amp;Open Document</source>
        <translation>Dokument &amp;öffnen</translation>
    </message>
    <message>
        <source>Open the document of the chosen hit in the program that the system has for it</source>
        <translation>Das Dokument des gewählten Treffers in dem Programm öffnen, das das System dafür hat</translation>
    </message>
    <message>
        <source>Show in &amp;Folder</source>
        <translation>Im &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Open the folder that holds the document of the chosen hit</source>
        <translation>Den Ordner öffnen, in dem das Dokument des gewählten Treffers liegt</translation>
    </message>
    <message>
        <source>Compare Sentence &amp;With…</source>
        <translation>Satz vergleichen &amp;mit…</translation>
    </message>
    <message>
        <source>Compare the chosen sentence with another one</source>
        <translation>Den gewählten Satz mit einem anderen vergleichen</translation>
    </message>
    <message>
        <source>Compare &amp;Two Sentences…</source>
        <translation>&amp;Zwei Sätze vergleichen…</translation>
    </message>
    <message>
        <source>See how alike two sentences are: cosine, dot product and Euclidean distance</source>
        <translation>Sehen, wie ähnlich zwei Sätze sind: Kosinus, Skalarprodukt und euklidischer Abstand</translation>
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
        <translation>&amp;Leser</translation>
    </message>
    <message>
        <source>Show the document of the chosen hit at the right, or hide it</source>
        <translation>Das Dokument des gewählten Treffers rechts zeigen oder verbergen</translation>
    </message>
    <message>
        <source>&amp;Go to the Reader</source>
        <translation>Zum Leser &amp;gehen</translation>
    </message>
    <message>
        <source>Read with the keyboard: arrows, Page Up and Down, Home and End</source>
        <translation>Mit der Tastatur lesen: Pfeile, Bild auf und ab, Pos1 und Ende</translation>
    </message>
    <message>
        <source>&amp;Contents of the Document</source>
        <translation>&amp;Inhalt des Dokuments</translation>
    </message>
    <message>
        <source>Go to a heading of the document in the reader</source>
        <translation>Zu einer Überschrift des Dokuments im Leser gehen</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>&amp;Größer</translation>
    </message>
    <message>
        <source>Show the document in the reader larger</source>
        <translation>Das Dokument im Leser größer zeigen</translation>
    </message>
    <message>
        <source>S&amp;maller</source>
        <translation>&amp;Kleiner</translation>
    </message>
    <message>
        <source>Show the document in the reader smaller</source>
        <translation>Das Dokument im Leser kleiner zeigen</translation>
    </message>
    <message>
        <source>&amp;Actual Size</source>
        <translation>&amp;Originalgröße</translation>
    </message>
    <message>
        <source>Show the document in the reader as large as on paper</source>
        <translation>Das Dokument im Leser so groß wie auf Papier zeigen</translation>
    </message>
    <message>
        <source>Fit &amp;Width</source>
        <translation>An &amp;Breite anpassen</translation>
    </message>
    <message>
        <source>Let the pages in the reader fill its width</source>
        <translation>Die Seiten im Leser so breit wie ihn zeigen</translation>
    </message>
    <message>
        <source>Fit &amp;Page</source>
        <translation>&amp;Ganze Seite</translation>
    </message>
    <message>
        <source>Show whole pages in the reader</source>
        <translation>Ganze Seiten im Leser zeigen</translation>
    </message>
    <message>
        <source>Turn Pages Dar&amp;k or Light</source>
        <translation>Seiten &amp;dunkel oder hell</translation>
    </message>
    <message>
        <source>Draw the pages in the reader light on dark, or as they are; pictures stay as they are</source>
        <translation>Die Seiten im Leser hell auf dunkel zeigen oder wie sie sind; Bilder bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>Copy from the Reader</source>
        <translation>Aus dem Leser kopieren</translation>
    </message>
    <message>
        <source>Copy the text chosen in the reader, or the sentence marked there</source>
        <translation>Den im Leser gewählten Text oder den dort markierten Satz kopieren</translation>
    </message>
    <message>
        <source>Copy from the Reader with Citation</source>
        <translation>Aus dem Leser mit Quelle kopieren</translation>
    </message>
    <message>
        <source>Copy the text chosen in the reader with its document and page</source>
        <translation>Den im Leser gewählten Text mit Dokument und Seite kopieren</translation>
    </message>
    <message>
        <source>Find &amp;Similar Sentences</source>
        <translation>Ä&amp;hnliche Sätze finden</translation>
    </message>
    <message>
        <source>Search for sentences like the text chosen in the reader, or the sentence marked there</source>
        <translation>Sätze suchen, die dem im Leser gewählten Text oder dem dort markierten Satz gleichen</translation>
    </message>
    <message>
        <source>Compare Text of the Reader…</source>
        <translation>Text des Lesers vergleichen…</translation>
    </message>
    <message>
        <source>Compare the text chosen in the reader with another one</source>
        <translation>Den im Leser gewählten Text mit einem anderen vergleichen</translation>
    </message>
    <message>
        <source>Theme as the &amp;System</source>
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
        <source>Find an &amp;Action…</source>
        <translation>&amp;Aktion finden…</translation>
    </message>
    <message>
        <source>Find an action by a few letters of its name</source>
        <translation>Eine Aktion an einigen Buchstaben ihres Namens finden</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>All shortcuts on one sheet</source>
        <translation>Alle Tastenkürzel auf einem Blatt</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Anleitung</translation>
    </message>
    <message>
        <source>A short manual; it needs no network</source>
        <translation>Eine kurze Anleitung; sie braucht kein Netz</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>Collect versions and log, without any text of documents, for a report</source>
        <translation>Versionen und Protokoll für einen Bericht sammeln, ohne Text von Dokumenten</translation>
    </message>
    <message>
        <source>&amp;Licences</source>
        <translation>&amp;Lizenzen</translation>
    </message>
    <message>
        <source>All parts of the program and their licences</source>
        <translation>Alle Bestandteile des Programms und ihre Lizenzen</translation>
    </message>
    <message>
        <source>&amp;About Kindred</source>
        <translation>&amp;Über Kindred</translation>
    </message>
    <message>
        <source>Version, parts and licences</source>
        <translation>Version, Bestandteile und Lizenzen</translation>
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
        <source>Have the library follow what is added, changed and deleted in folders</source>
        <translation>Die Bibliothek dem folgen lassen, was in Ordnern hinzukommt, sich ändert und gelöscht wird</translation>
    </message>
    <message>
        <source>&amp;Models…</source>
        <translation>&amp;Modelle …</translation>
    </message>
    <message>
        <source>Bring in models, and switch the library to another one</source>
        <translation>Modelle holen und die Bibliothek zu einem anderen wechseln lassen</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>Ein&amp;fügen</translation>
    </message>
    <message>
        <source>Import copied files, or keep copied text as a document</source>
        <translation>Kopierte Dateien importieren oder kopierten Text als Dokument behalten</translation>
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
        <source>&amp;Open in System Viewer</source>
        <translation>Mit dem System &amp;öffnen</translation>
    </message>
    <message>
        <source>Open the chosen documents in the program that the system has for them</source>
        <translation>Die gewählten Dokumente in dem Programm öffnen, das das System dafür hat</translation>
    </message>
    <message>
        <source>Search &amp;Only Here</source>
        <translation>N&amp;ur hier suchen</translation>
    </message>
    <message>
        <source>Search in the chosen documents and folders only</source>
        <translation>Nur in den gewählten Dokumenten und Ordnern suchen</translation>
    </message>
    <message>
        <source>Search PDF &amp;Documents</source>
        <translation>In P&amp;DF suchen</translation>
    </message>
    <message>
        <source>Search in PDF documents only, or again in all</source>
        <translation>Nur in PDF suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search &amp;Text Documents</source>
        <translation>In &amp;Textdateien suchen</translation>
    </message>
    <message>
        <source>Search in text documents only, or again in all</source>
        <translation>Nur in Textdateien suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search &amp;Markdown Documents</source>
        <translation>In &amp;Markdown suchen</translation>
    </message>
    <message>
        <source>Search in Markdown only, or again in all</source>
        <translation>Nur in Markdown suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search &amp;Web Pages</source>
        <translation>In &amp;Webseiten suchen</translation>
    </message>
    <message>
        <source>Search in web pages only, or again in all</source>
        <translation>Nur in Webseiten suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search W&amp;ord Documents</source>
        <translation>In W&amp;ord-Dokumenten suchen</translation>
    </message>
    <message>
        <source>Search in Word documents (DOCX) only, or again in all</source>
        <translation>Nur in Word-Dokumenten (DOCX) suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search Open&amp;Documents</source>
        <translation>In O&amp;penDocument suchen</translation>
    </message>
    <message>
        <source>Search in OpenDocument texts (ODT) only, or again in all</source>
        <translation>Nur in OpenDocument-Texten (ODT) suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search &amp;RTF Documents</source>
        <translation>In &amp;RTF suchen</translation>
    </message>
    <message>
        <source>Search in rich text (RTF) only, or again in all</source>
        <translation>Nur in RTF suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search &amp;EPUB Books</source>
        <translation>In &amp;EPUB-Büchern suchen</translation>
    </message>
    <message>
        <source>Search in books (EPUB) only, or again in all</source>
        <translation>Nur in Büchern (EPUB) suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search Ma&amp;il</source>
        <translation>In Ma&amp;ils suchen</translation>
    </message>
    <message>
        <source>Search in messages only, or again in all</source>
        <translation>Nur in Mails suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search Ta&amp;bles</source>
        <translation>In Ta&amp;bellen suchen</translation>
    </message>
    <message>
        <source>Search in the rows of CSV and TSV files only, or again in all</source>
        <translation>Nur in den Zeilen von CSV- und TSV-Dateien suchen, oder wieder in allem</translation>
    </message>
    <message>
        <source>Search S&amp;ubtitles</source>
        <translation>In &amp;Untertiteln suchen</translation>
    </message>
    <message>
        <source>Search in subtitles only, or again in all</source>
        <translation>Nur in Untertiteln suchen, oder wieder in allem</translation>
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
        <source>Give the document a title of your own; an empty one gives it back its file&apos;s</source>
        <translation>Dem Dokument einen eigenen Titel geben; ein leerer gibt ihm den der Datei zurück</translation>
    </message>
    <message>
        <source>Open the folder that holds the chosen document</source>
        <translation>Den Ordner öffnen, in dem das gewählte Dokument liegt</translation>
    </message>
    <message>
        <source>Copy Pat&amp;h</source>
        <translation>P&amp;fad kopieren</translation>
    </message>
    <message>
        <source>Copy where the chosen documents and folders lie</source>
        <translation>Kopieren, wo die gewählten Dokumente und Ordner liegen</translation>
    </message>
    <message>
        <source>Import &amp;Again</source>
        <translation>&amp;Neu importieren</translation>
    </message>
    <message>
        <source>Read the chosen documents again from their files; folders with all that is in them</source>
        <translation>Die gewählten Dokumente noch einmal aus ihren Dateien lesen; Ordner mit allem, was darin ist</translation>
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
        <source>Take the chosen documents out of the library; their files stay where they are</source>
        <translation>Die gewählten Dokumente aus der Bibliothek nehmen; ihre Dateien bleiben, wo sie sind</translation>
    </message>
    <message>
        <source>&amp;Undo Removal</source>
        <translation>Entfernen &amp;zurücknehmen</translation>
    </message>
    <message>
        <source>Bring back the documents that were removed last</source>
        <translation>Die zuletzt entfernten Dokumente zurückholen</translation>
    </message>
    <message>
        <source>A&amp;bout this Library…</source>
        <translation>Über &amp;diese Bibliothek…</translation>
    </message>
    <message>
        <source>What is in the library, what it takes on disk, and whether all its parts agree</source>
        <translation>Was in der Bibliothek ist, was sie auf der Platte braucht, und ob alle ihre Teile zueinander passen</translation>
    </message>
    <message>
        <source>&amp;Filter Documents</source>
        <translation>Dokumente &amp;filtern</translation>
    </message>
    <message>
        <source>Go to the filter of the list of documents</source>
        <translation>Zum Filter der Dokumentenliste gehen</translation>
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
        <source>Only &amp;Failed Documents</source>
        <translation>Nur &amp;gescheiterte Dokumente</translation>
    </message>
    <message>
        <source>List only the documents that could not be imported</source>
        <translation>Nur die Dokumente zeigen, die nicht importiert werden konnten</translation>
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
        <source>%Ln chapters</source>
        <translation>
            <numerusform>%Ln Kapitel</numerusform>
            <numerusform>%Ln Kapitel</numerusform>
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
        <source>also in %Ln other documents</source>
        <translation>
            <numerusform>auch in %Ln anderen Dokument</numerusform>
            <numerusform>auch in %Ln anderen Dokumenten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new sentences searchable</source>
        <translation>
            <numerusform>%Ln neuer Satz durchsuchbar</numerusform>
            <numerusform>%Ln neue Sätze durchsuchbar</numerusform>
        </translation>
    </message>
    <message>
        <source>By Meaning and &amp;Words</source>
        <translation>Nach Bedeutung und &amp;Wörtern</translation>
    </message>
    <message>
        <source>Find what means the same and what has the words</source>
        <translation>Finden, was dasselbe sagt, und was die Wörter hat</translation>
    </message>
    <message>
        <source>By Meanin&amp;g</source>
        <translation>Nach Bedeutun&amp;g</translation>
    </message>
    <message>
        <source>Find what means the same, whatever its words</source>
        <translation>Finden, was dasselbe sagt, mit welchen Wörtern auch immer</translation>
    </message>
    <message>
        <source>By W&amp;ords</source>
        <translation>Nach W&amp;örtern</translation>
    </message>
    <message>
        <source>Find what has the words, in any of their forms</source>
        <translation>Finden, was die Wörter hat, in jeder ihrer Formen</translation>
    </message>
    <message>
        <source>Search &amp;Notation</source>
        <translation>Schreib&amp;weise der Suche</translation>
    </message>
    <message>
        <source>How to ask for exact phrases, leave words out, and keep to titles, folders, types and dates</source>
        <translation>Wie man nach genauen Wendungen fragt, Wörter ausschließt und sich auf Titel, Ordner, Arten und Daten beschränkt</translation>
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
        <source>Finds the sentences that mean the same in your own documents, on your own machine.</source>
        <translation>Findet die Sätze, die dasselbe sagen: in Ihren eigenen Dokumenten, auf Ihrem eigenen Rechner.</translation>
    </message>
    <message>
        <source>Apache-2.0. All parts and their licences: Help, Licences.</source>
        <translation>Apache-2.0. Alle Bestandteile und ihre Lizenzen: Hilfe, Lizenzen.</translation>
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
        <source>Parts</source>
        <translation>Bestandteile</translation>
    </message>
</context>
<context>
    <name>ActionPalette</name>
    <message>
        <source>Action palette</source>
        <translation>Aktionspalette</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was möchten Sie tun?</translation>
    </message>
    <message>
        <source>Name of an action</source>
        <translation>Name einer Aktion</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>No action is called that. Try a word from the menus.</source>
        <translation>Keine Aktion heißt so. Versuchen Sie ein Wort aus den Menüs.</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Import files</source>
        <translation>Dateien importieren</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import a folder</source>
        <translation>Einen Ordner importieren</translation>
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
        <source>Nearest to the first sentence</source>
        <translation>Dem ersten Satz am nächsten</translation>
    </message>
    <message>
        <source>Nearest to the second sentence</source>
        <translation>Dem zweiten Satz am nächsten</translation>
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
        <source>Copy both sentences and the figures</source>
        <translation>Beide Sätze und die Werte kopieren</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Empty both fields</source>
        <translation>Beide Felder leeren</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>How the measures belong together</source>
        <translation>Wie die Maße zusammenhängen</translation>
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
        <source>What it says</source>
        <translation>Was es sagt</translation>
    </message>
    <message>
        <source>Getting ready… The figures appear as soon as the model is loaded.</source>
        <translation>Wird vorbereitet… Die Werte erscheinen, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>Fill the other field too, or choose one of the sentences below.</source>
        <translation>Füllen Sie auch das andere Feld, oder wählen Sie einen der Sätze unten.</translation>
    </message>
    <message>
        <source>Fill both fields: the figures follow as you type.</source>
        <translation>Füllen Sie beide Felder: Die Werte folgen beim Tippen.</translation>
    </message>
    <message>
        <source>The three measures agree: this model ends in a normalisation, which gives every sentence a vector of length 1, so all three put pairs into the same order.</source>
        <translation>Die drei Maße stimmen überein: Dieses Modell endet mit einer Normierung, die jedem Satz einen Vektor der Länge 1 gibt; darum ordnen alle drei Paare gleich.</translation>
    </message>
    <message>
        <source>This model does not end in a normalisation: vectors differ in length, and the three measures can put pairs into different orders. Searching uses the cosine.</source>
        <translation>Dieses Modell endet nicht mit einer Normierung: Die Vektoren sind verschieden lang, und die drei Maße können Paare verschieden ordnen. Gesucht wird mit dem Kosinus.</translation>
    </message>
    <message>
        <source>The model reads only the beginning of a long text: about {count} words.</source>
        <translation>Das Modell liest nur den Anfang eines langen Textes: ungefähr {count} Wörter.</translation>
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
    <name>DetailsDialog</name>
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
        <source>Open in system viewer</source>
        <translation>Mit dem System öffnen</translation>
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
    <message>
        <source>Pages read badly</source>
        <translation>Schlecht gelesene Seiten</translation>
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
        <source>Length</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Cut sentences</source>
        <translation>Gekürzte Sätze</translation>
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
        <source>Remarks</source>
        <translation>Bemerkungen</translation>
    </message>
    <message>
        <source>{count}: longer than the model reads, so their ends are not found</source>
        <translation>{count}: länger, als das Modell liest; ihre Enden werden nicht gefunden</translation>
    </message>
</context>
<context>
    <name>DocumentCommands</name>
    <message>
        <source>The first {count} of {all} were opened.</source>
        <translation>Die ersten {count} von {all} wurden geöffnet.</translation>
    </message>
    <message>
        <source>Password of {name}:</source>
        <translation>Passwort von {name}:</translation>
    </message>
    <message>
        <source>A password to try on {documents}:</source>
        <translation>Ein Passwort, das an {documents} versucht wird:</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>The password does not open {name}.</source>
        <translation>Das Passwort öffnet {name} nicht.</translation>
    </message>
</context>
<context>
    <name>DocumentModel</name>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
</context>
<context>
    <name>DocumentTree</name>
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
    <name>DropHint</name>
    <message>
        <source>Drop to import</source>
        <translation>Zum Importieren loslassen</translation>
    </message>
</context>
<context>
    <name>FaultDialog</name>
    <message>
        <source>A fault in Kindred</source>
        <translation>Ein Fehler in Kindred</translation>
    </message>
    <message>
        <source>Something went wrong inside the program</source>
        <translation>Im Programm ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>Your documents are not harmed, and you can go on. If it happens again, copy this report and send it to the people who make Kindred. It holds no text of your documents.</source>
        <translation>Ihren Dokumenten ist nichts geschehen, und Sie können weiterarbeiten. Wenn es noch einmal vorkommt, kopieren Sie diesen Bericht und senden ihn denen, die Kindred machen. Er enthält keinen Text Ihrer Dokumente.</translation>
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
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Show only documents with these words in title or path</source>
        <translation>Nur Dokumente mit diesen Wörtern in Titel oder Pfad zeigen</translation>
    </message>
    <message>
        <source>Filter documents</source>
        <translation>Dokumente filtern</translation>
    </message>
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
</context>
<context>
    <name>Gutter</name>
    <message>
        <source>Rows or times</source>
        <translation>Zeilen oder Zeiten</translation>
    </message>
</context>
<context>
    <name>HitModel</name>
    <message>
        <source>score {score}</source>
        <translation>Ähnlichkeit {score}</translation>
    </message>
</context>
<context>
    <name>ImportReportDialog</name>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
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
        <source>Kinds of files</source>
        <translation>Arten von Dateien</translation>
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
        <source>&amp;Ignore</source>
        <translation>&amp;Übergehen</translation>
    </message>
    <message>
        <source>Import them again</source>
        <translation>Sie noch einmal importieren</translation>
    </message>
    <message>
        <source>Try a password on them; it is not stored</source>
        <translation>Ein Passwort an ihnen versuchen; es wird nicht gespeichert</translation>
    </message>
    <message>
        <source>Take them off the list; the files stay where they are (Del)</source>
        <translation>Sie von der Liste nehmen; die Dateien bleiben, wo sie sind (Entf)</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>With remarks</source>
        <translation>Mit Bemerkungen</translation>
    </message>
    <message>
        <source>Not a kind of file that is read</source>
        <translation>Keine Art von Datei, die gelesen wird</translation>
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
</context>
<context>
    <name>Incoming</name>
    <message>
        <source>Drop to keep this text</source>
        <translation>Loslassen, um den Text zu behalten</translation>
    </message>
    <message>
        <source>Drop to import</source>
        <translation>Zum Importieren loslassen</translation>
    </message>
    <message>
        <source>There is neither a file nor a text on the clipboard.</source>
        <translation>In der Zwischenablage ist weder eine Datei noch ein Text.</translation>
    </message>
</context>
<context>
    <name>JobCard</name>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>What runs</source>
        <translation>Was läuft</translation>
    </message>
    <message>
        <source>Document at hand</source>
        <translation>Dokument, das an der Reihe ist</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Rate and time left</source>
        <translation>Geschwindigkeit und Restzeit</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Cancel: what is ready stays</source>
        <translation>Abbrechen: Was fertig ist, bleibt</translation>
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
        <source>Waiting for its turn</source>
        <translation>Wartet, bis es an der Reihe ist</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Es wird nachgesehen…</translation>
    </message>
    <message>
        <source>Tidying up…</source>
        <translation>Es wird aufgeräumt…</translation>
    </message>
    <message>
        <source>Importing {done} of {total}</source>
        <translation>{done} von {total} importiert</translation>
    </message>
    <message>
        <source>{documents} so far</source>
        <translation>Bisher {documents}</translation>
    </message>
    <message>
        <source> · {count} more waiting</source>
        <translation> · {count} weitere warten</translation>
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
        <source>Import finished</source>
        <translation>Import fertig</translation>
    </message>
    <message>
        <source> · {documents} left out</source>
        <translation> · {documents} ausgelassen</translation>
    </message>
</context>
<context>
    <name>KeepTextDialog</name>
    <message>
        <source>Keep text</source>
        <translation>Text behalten</translation>
    </message>
    <message>
        <source>Keep this text as a document?</source>
        <translation>Diesen Text als Dokument behalten?</translation>
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
        <source>It is written in &amp;Markdown: headings, lists, links</source>
        <translation>Er ist in &amp;Markdown geschrieben: Überschriften, Listen, Verweise</translation>
    </message>
    <message>
        <source>It is written in Markdown</source>
        <translation>Er ist in Markdown geschrieben</translation>
    </message>
    <message>
        <source>Where it is kept</source>
        <translation>Wo er abgelegt wird</translation>
    </message>
    <message>
        <source>It is written to a file in {folder}</source>
        <translation>Er wird in eine Datei in {folder} geschrieben</translation>
    </message>
    <message>
        <source>&amp;Keep as Document</source>
        <translation>Als Dokument &amp;behalten</translation>
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
    <name>LibraryDialog</name>
    <message>
        <source>About this library</source>
        <translation>Über diese Bibliothek</translation>
    </message>
    <message>
        <source>What is in the library</source>
        <translation>Was in der Bibliothek ist</translation>
    </message>
    <message>
        <source>Every part can be checked against the others.</source>
        <translation>Jeder Teil kann an den anderen geprüft werden.</translation>
    </message>
    <message>
        <source>Result of the check</source>
        <translation>Ergebnis der Prüfung</translation>
    </message>
    <message>
        <source>What was checked</source>
        <translation>Was geprüft wurde</translation>
    </message>
    <message>
        <source>&amp;Check the Library</source>
        <translation>Bibliothek &amp;prüfen</translation>
    </message>
    <message>
        <source>&amp;Mend</source>
        <translation>&amp;Richten</translation>
    </message>
    <message>
        <source>Mend the library</source>
        <translation>Die Bibliothek richten</translation>
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
        <translation>Gescheitert</translation>
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
        <source>{all}, {distinct} of them different</source>
        <translation>{all}, davon {distinct} verschiedene</translation>
    </message>
    <message>
        <source>Searchable</source>
        <translation>Durchsuchbar</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Documents&apos; files</source>
        <translation>Dateien der Dokumente</translation>
    </message>
    <message>
        <source>{size}; they stay where they are</source>
        <translation>{size}; sie bleiben, wo sie sind</translation>
    </message>
    <message>
        <source>Mending…</source>
        <translation>Wird gerichtet…</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Checking… {count} looked at</source>
        <translation>Wird geprüft… {count} angesehen</translation>
    </message>
    <message>
        <source>Everything is as it should be.</source>
        <translation>Alles ist, wie es sein soll.</translation>
    </message>
    <message>
        <source>{count} of {all} are not as they should be. Mending loses nothing that can be found.</source>
        <translation>{count} von {all} sind nicht, wie sie sein sollen. Beim Richten geht nichts verloren, was gefunden werden kann.</translation>
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
        <source>No document is shown</source>
        <translation>Es wird kein Dokument gezeigt</translation>
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
        <source>{shown} of {all}</source>
        <translation>{shown} von {all}</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} gescheitert</translation>
    </message>
    <message>
        <source>Show only those that failed</source>
        <translation>Nur die gescheiterten zeigen</translation>
    </message>
    <message>
        <source>No document matches the filter.</source>
        <translation>Kein Dokument passt zum Filter.</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Parts of Kindred</source>
        <translation>Bestandteile von Kindred</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>Text der Lizenz</translation>
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
        <source>Parts and licences</source>
        <translation>Bestandteile und Lizenzen</translation>
    </message>
    <message>
        <source>{name} brings no text of its licence along; its name is all it says: {licence}.</source>
        <translation>{name} bringt den Text seiner Lizenz nicht mit, nur ihren Namen: {licence}.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Search bar</source>
        <translation>Suchleiste</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
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
        <source>Menu bar</source>
        <translation>Menüleiste</translation>
    </message>
    <message>
        <source>opening the library…</source>
        <translation>Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>getting ready…</source>
        <translation>wird vorbereitet…</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>nicht bereit</translation>
    </message>
    <message>
        <source>The library answers to the model {name} now.</source>
        <translation>Die Bibliothek antwortet jetzt mit dem Modell {name}.</translation>
    </message>
    <message>
        <source>Removed {documents} from the library. The files themselves stay where they are.</source>
        <translation>{documents} aus der Bibliothek entfernt. Die Dateien selbst bleiben, wo sie sind.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>The settings could not be written: {why}</source>
        <translation>Die Einstellungen konnten nicht geschrieben werden: {why}</translation>
    </message>
</context>
<context>
    <name>ManualDialog</name>
    <message>
        <source>Manual of Kindred</source>
        <translation>Anleitung zu Kindred</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Anleitung</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>What runs</source>
        <translation>Was läuft</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Rate and time left</source>
        <translation>Geschwindigkeit und Restzeit</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop: it goes on from there when you want</source>
        <translation>Beenden: später geht es von hier aus weiter</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Bringing in a model</source>
        <translation>Ein Modell wird geholt</translation>
    </message>
    <message>
        <source>Switching to another model</source>
        <translation>Wechsel zu einem anderen Modell</translation>
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
        <source>about {time} left</source>
        <translation>noch ungefähr {time}</translation>
    </message>
    <message>
        <source>Tidying up…</source>
        <translation>Es wird aufgeräumt…</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Models that turn sentences into vectors</source>
        <translation>Modelle, die aus Sätzen Vektoren machen</translation>
    </message>
    <message>
        <source>The library answers to one of them. Switching to another embeds every sentence anew in the background; until that is done, the present one answers.</source>
        <translation>Die Bibliothek antwortet mit einem von ihnen. Beim Wechsel zu einem anderen wird jeder Satz im Hintergrund neu eingebettet; bis das getan ist, antwortet das bisherige.</translation>
    </message>
    <message>
        <source>About models</source>
        <translation>Über Modelle</translation>
    </message>
    <message>
        <source>About the chosen model</source>
        <translation>Über das gewählte Modell</translation>
    </message>
    <message>
        <source>&amp;Use for This Library</source>
        <translation>Für diese Bibliothek &amp;nutzen</translation>
    </message>
    <message>
        <source>&amp;Give Up Switching</source>
        <translation>Wechsel auf&amp;geben</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
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
        <source>or a name to download: sentence-transformers/all-mpnet-base-v2</source>
        <translation>oder ein Name zum Herunterladen: sentence-transformers/all-mpnet-base-v2</translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation>Herunter&amp;laden</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>Was misslungen ist</translation>
    </message>
    <message>
        <source>on the way to it: {share} %</source>
        <translation>auf dem Weg dorthin: {share} %</translation>
    </message>
    <message>
        <source>Go &amp;On Switching</source>
        <translation>Wechsel f&amp;ortsetzen</translation>
    </message>
    <message>
        <source>{count} dimensions</source>
        <translation>{count} Dimensionen</translation>
    </message>
    <message>
        <source>sentences of up to {count} tokens</source>
        <translation>Sätze bis zu {count} Token</translation>
    </message>
    <message>
        <source>pooling: {name}</source>
        <translation>Pooling: {name}</translation>
    </message>
    <message>
        <source>comes with Kindred</source>
        <translation>gehört zu Kindred</translation>
    </message>
    <message>
        <source>in a folder of your own</source>
        <translation>in einem eigenen Ordner</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>heruntergeladen</translation>
    </message>
    <message>
        <source>of this library</source>
        <translation>von dieser Bibliothek</translation>
    </message>
    <message>
        <source>this library answers to it</source>
        <translation>diese Bibliothek antwortet damit</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>Den Ordner eines Modells wählen</translation>
    </message>
</context>
<context>
    <name>NearList</name>
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
    <name>NotationDialog</name>
    <message>
        <source>Search notation</source>
        <translation>Schreibweise der Suche</translation>
    </message>
    <message>
        <source>What you can write into the search box</source>
        <translation>Was Sie ins Suchfeld schreiben können</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>A question, a sentence or a few words are enough. To be more exact:</source>
        <translation>Eine Frage, ein Satz oder einige Wörter genügen. Um genauer zu sein:</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>Einleitung</translation>
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
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>What waits for the next start</source>
        <translation>Was auf den nächsten Start wartet</translation>
    </message>
    <message>
        <source>Start again now</source>
        <translation>Jetzt neu starten</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Schaltflächen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
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
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Folder of the library</source>
        <translation>Ordner der Bibliothek</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>&amp;Open another…</source>
        <translation>Andere ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open another library</source>
        <translation>Eine andere Bibliothek öffnen</translation>
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
        <source>Use the &amp;default</source>
        <translation>&amp;Vorgabe verwenden</translation>
    </message>
    <message>
        <source>Use the default library</source>
        <translation>Die vorgegebene Bibliothek verwenden</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Wählen…</translation>
    </message>
    <message>
        <source>Choose the data folder</source>
        <translation>Den Datenordner wählen</translation>
    </message>
    <message>
        <source>Use the def&amp;ault</source>
        <translation>V&amp;orgabe verwenden</translation>
    </message>
    <message>
        <source>Use the default data folder</source>
        <translation>Den vorgegebenen Datenordner verwenden</translation>
    </message>
    <message>
        <source>The default library and the models lie in the data folder. What lies in the one that is used now stays there.</source>
        <translation>Die vorgegebene Bibliothek und die Modelle liegen im Datenordner. Was im jetzigen liegt, bleibt dort.</translation>
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
        <source>For new libraries</source>
        <translation>Für neue Bibliotheken</translation>
    </message>
    <message>
        <source>Choose a &amp;folder…</source>
        <translation>Ordner wäh&amp;len…</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>Den Ordner eines Modells wählen</translation>
    </message>
    <message>
        <source>Use the &amp;bundled one</source>
        <translation>&amp;Mitgeliefertes verwenden</translation>
    </message>
    <message>
        <source>Use the bundled model</source>
        <translation>Das mitgelieferte Modell verwenden</translation>
    </message>
    <message>
        <source>&amp;Models…</source>
        <translation>&amp;Modelle …</translation>
    </message>
    <message>
        <source>Models: bring in, switch, remove</source>
        <translation>Modelle: holen, wechseln, entfernen</translation>
    </message>
    <message>
        <source>Why this folder cannot be used</source>
        <translation>Warum dieser Ordner nicht verwendet werden kann</translation>
    </message>
    <message>
        <source>A model turns sentences into vectors. A library keeps its own until it is switched.</source>
        <translation>Ein Modell macht aus Sätzen Vektoren. Eine Bibliothek behält ihres, bis sie gewechselt wird.</translation>
    </message>
    <message>
        <source>The library that is open keeps {name}.</source>
        <translation>Die geöffnete Bibliothek behält {name}.</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
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
        <source>32 bits (fp32)</source>
        <translation>32 Bit (fp32)</translation>
    </message>
    <message>
        <source>16 bits (bf16)</source>
        <translation>16 Bit (bf16)</translation>
    </message>
    <message>
        <source>16 bits (fp16)</source>
        <translation>16 Bit (fp16)</translation>
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
    <message>
        <source>These apply at the next start.</source>
        <translation>Diese gelten ab dem nächsten Start.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln threads</source>
        <translation>
            <numerusform>%Ln Thread</numerusform>
            <numerusform>%Ln Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>At work now, with {threads}: {device}.</source>
        <translation>Zurzeit, mit {threads}: {device}.</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>Dokumente lesen</translation>
    </message>
    <message>
        <source>Longest silence of a reader</source>
        <translation>Längste Stille beim Lesen</translation>
    </message>
    <message>
        <source>Longest &amp;silence</source>
        <translation>Längste &amp;Stille</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Most memory of a reader</source>
        <translation>Höchster Speicher beim Lesen</translation>
    </message>
    <message>
        <source>Most &amp;memory</source>
        <translation>Höchster S&amp;peicher</translation>
    </message>
    <message>
        <source>A document is given up when reading it brings nothing new for so long, or needs more memory. Applies at the next start.</source>
        <translation>Ein Dokument wird aufgegeben, wenn das Lesen so lange nichts Neues bringt oder mehr Speicher braucht. Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Removing documents</source>
        <translation>Dokumente entfernen</translation>
    </message>
    <message>
        <source>Time for undoing</source>
        <translation>Zeit zum Zurücknehmen</translation>
    </message>
    <message>
        <source>Time for &amp;undoing</source>
        <translation>Zeit zum &amp;Zurücknehmen</translation>
    </message>
    <message>
        <source>After that, what was removed is erased from the library. The files themselves stay.</source>
        <translation>Danach wird das Entfernte aus der Bibliothek gelöscht. Die Dateien selbst bleiben.</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>The default</source>
        <translation>Die Vorgabe</translation>
    </message>
    <message>
        <source>all-MiniLM-L6-v2, comes with Kindred</source>
        <translation>all-MiniLM-L6-v2, kommt mit Kindred</translation>
    </message>
    <message>
        <source>Kept. At the next start of Kindred: {names}.</source>
        <translation>Gespeichert. Ab dem nächsten Start von Kindred: {names}.</translation>
    </message>
    <message>
        <source>Every choice is kept at once.</source>
        <translation>Jede Wahl wird sofort gespeichert.</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
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
        <source>longest silence</source>
        <translation>längste Stille</translation>
    </message>
    <message>
        <source>most memory</source>
        <translation>höchster Speicher</translation>
    </message>
    <message>
        <source>{name} holds no model: it has no {file}.</source>
        <translation>{name} enthält kein Modell: {file} fehlt.</translation>
    </message>
</context>
<context>
    <name>ProblemDialog</name>
    <message>
        <source>Report a problem</source>
        <translation>Ein Problem melden</translation>
    </message>
    <message>
        <source>Describe what you did and what happened, and add this report: it holds versions, counts and where the program was, but no text and no names of your documents. Nothing is sent from here.</source>
        <translation>Beschreiben Sie, was Sie getan haben und was geschehen ist, und fügen Sie diesen Bericht bei: Er enthält Versionen, Anzahlen und wo das Programm war, aber weder Text noch Namen Ihrer Dokumente. Von hier wird nichts gesendet.</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>&amp;Copy report</source>
        <translation>Bericht &amp;kopieren</translation>
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
        <source>Search notation</source>
        <translation>Schreibweise der Suche</translation>
    </message>
    <message>
        <source>Take out: {what}</source>
        <translation>Herausnehmen: {what}</translation>
    </message>
    <message>
        <source>Click to take it out</source>
        <translation>Klicken, um es herauszunehmen</translation>
    </message>
</context>
<context>
    <name>ReaderDesk</name>
    <message>
        <source>Where does the file lie now?</source>
        <translation>Wo liegt die Datei jetzt?</translation>
    </message>
</context>
<context>
    <name>ReaderHead</name>
    <message>
        <source>Reader tools</source>
        <translation>Werkzeuge des Lesers</translation>
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
        <source>Hits in this document</source>
        <translation>Treffer in diesem Dokument</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Previous hit in this document (Shift+F3)</source>
        <translation>Voriger Treffer in diesem Dokument (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Next hit in this document (F3)</source>
        <translation>Nächster Treffer in diesem Dokument (F3)</translation>
    </message>
    <message>
        <source>Smaller (Ctrl+-)</source>
        <translation>Kleiner (Strg+-)</translation>
    </message>
    <message>
        <source>Larger (Ctrl++)</source>
        <translation>Größer (Strg++)</translation>
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
        <source>Open in the System&apos;s Viewer</source>
        <translation>Mit dem System öffnen</translation>
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
        <source>{name} is no longer where it was: {path}</source>
        <translation>{name} ist nicht mehr, wo es war: {path}</translation>
    </message>
</context>
<context>
    <name>ReaderPane</name>
    <message>
        <source>Reader</source>
        <translation>Leser</translation>
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
        <source>Read the Stored Text</source>
        <translation>Gespeicherten Text lesen</translation>
    </message>
    <message>
        <source>Choose a sentence to read it in its place</source>
        <translation>Wählen Sie einen Satz, um ihn an seiner Stelle zu lesen</translation>
    </message>
    <message>
        <source>The page it stands on appears here, with the sentence marked.</source>
        <translation>Hier erscheint die Seite, auf der er steht, mit dem Satz markiert.</translation>
    </message>
    <message>
        <source>The document is protected by a password</source>
        <translation>Das Dokument ist durch ein Passwort geschützt</translation>
    </message>
    <message>
        <source>Its pages can be shown once its password was entered in this session.</source>
        <translation>Seine Seiten können gezeigt werden, sobald sein Passwort in dieser Sitzung eingegeben wurde.</translation>
    </message>
    <message>
        <source>{why}; this is the text that was stored.</source>
        <translation>{why}; dies ist der gespeicherte Text.</translation>
    </message>
    <message>
        <source>The file is no longer there; this is the text that was stored.</source>
        <translation>Die Datei ist nicht mehr da; dies ist der gespeicherte Text.</translation>
    </message>
    <message>
        <source>Find the File…</source>
        <translation>Die Datei suchen…</translation>
    </message>
    <message>
        <source>This sentence was not found on its page: the file has changed since it was read.</source>
        <translation>Dieser Satz wurde auf seiner Seite nicht gefunden: Die Datei hat sich geändert, seit sie gelesen wurde.</translation>
    </message>
    <message>
        <source>Opening the document…</source>
        <translation>Das Dokument wird geöffnet…</translation>
    </message>
    <message>
        <source>This heading is not in the text that was stored.</source>
        <translation>Diese Überschrift ist nicht im gespeicherten Text.</translation>
    </message>
</context>
<context>
    <name>ScaleView</name>
    <message>
        <source>Scale of the cosine</source>
        <translation>Skala des Kosinus</translation>
    </message>
    <message>
        <source>The bands hold four fifths of the sentence pairs that people judged so (STS-B, measured with this model). They are no verdict.</source>
        <translation>Die Bänder enthalten vier Fünftel der Satzpaare, die Menschen so beurteilt haben (STS-B, mit diesem Modell gemessen). Sie sind kein Urteil.</translation>
    </message>
</context>
<context>
    <name>ScopeBar</name>
    <message>
        <source>Where to search</source>
        <translation>Wo gesucht wird</translation>
    </message>
    <message>
        <source>Only in</source>
        <translation>Nur in</translation>
    </message>
    <message>
        <source>Search everywhere (Ctrl+Shift+A)</source>
        <translation>Überall suchen (Strg+Umschalt+A)</translation>
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
        <source>Do not search these</source>
        <translation>Hier nicht suchen</translation>
    </message>
    <message>
        <source>Do not keep the search to {name}</source>
        <translation>Die Suche nicht auf {name} beschränken</translation>
    </message>
    <message>
        <source>{path}
Click to take it away</source>
        <translation>{path}
Klicken, um es wegzunehmen</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Ask a question, paste a sentence, or type words</source>
        <translation>Eine Frage stellen, einen Satz einfügen oder Wörter tippen</translation>
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
        <source>Clear</source>
        <translation>Leeren</translation>
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
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Types of documents</source>
        <translation>Arten von Dokumenten</translation>
    </message>
    <message>
        <source>Search only some types of documents</source>
        <translation>Nur in einigen Arten von Dokumenten suchen</translation>
    </message>
    <message>
        <source>Hit</source>
        <translation>Treffer</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Everything else is in the menus, and in the action palette: {keys}</source>
        <translation>Alles andere steht in den Menüs und in der Aktionspalette: {keys}</translation>
    </message>
</context>
<context>
    <name>Side</name>
    <message>
        <source>Nearest to it in your library</source>
        <translation>Ihm am nächsten in Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>Type or paste a sentence</source>
        <translation>Einen Satz tippen oder einfügen</translation>
    </message>
    <message>
        <source>There is no other sentence in the library.</source>
        <translation>In der Bibliothek ist kein anderer Satz.</translation>
    </message>
    <message>
        <source>The library is still empty.</source>
        <translation>Die Bibliothek ist noch leer.</translation>
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
        <source>Here appear the sentences of your library that are nearest to it.</source>
        <translation>Hier erscheinen die Sätze Ihrer Bibliothek, die ihm am nächsten sind.</translation>
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
    <name>TextView</name>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Choose an empty folder for the new library</source>
        <translation>Einen leeren Ordner für die neue Bibliothek wählen</translation>
    </message>
    <message>
        <source>Open a library</source>
        <translation>Eine Bibliothek öffnen</translation>
    </message>
    <message>
        <source>{name} holds no library of Kindred.</source>
        <translation>{name} enthält keine Bibliothek von Kindred.</translation>
    </message>
    <message>
        <source>{name} is not empty. A library needs a folder of its own.</source>
        <translation>{name} ist nicht leer. Eine Bibliothek braucht einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>The library in {name} opens at the next start of Kindred.</source>
        <translation>Die Bibliothek in {name} wird beim nächsten Start von Kindred geöffnet.</translation>
    </message>
    <message>
        <source>Start again now</source>
        <translation>Jetzt neu starten</translation>
    </message>
</context>
<context>
    <name>WatchedFoldersDialog</name>
    <message>
        <source>Watched folders</source>
        <translation>Beobachtete Ordner</translation>
    </message>
    <message>
        <source>Folders that the library follows</source>
        <translation>Ordner, denen die Bibliothek folgt</translation>
    </message>
    <message>
        <source>What is added, changed, renamed or deleted in them is followed, also while Kindred was closed. A folder that is not there for a while loses nothing.</source>
        <translation>Was in ihnen hinzukommt, sich ändert, umbenannt oder gelöscht wird, wird übernommen, auch was geschah, während Kindred geschlossen war. Ein Ordner, der eine Zeit lang nicht da ist, verliert nichts.</translation>
    </message>
    <message>
        <source>About watched folders</source>
        <translation>Zu beobachteten Ordnern</translation>
    </message>
    <message>
        <source>&amp;Add Folder…</source>
        <translation>Ordner &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Stop Following</source>
        <translation>Nicht mehr &amp;folgen</translation>
    </message>
    <message>
        <source>Only</source>
        <translation>Nur</translation>
    </message>
    <message>
        <source>everything that can be read; or: *.pdf; 2024/*</source>
        <translation>alles, was gelesen werden kann; oder: *.pdf; 2024/*</translation>
    </message>
    <message>
        <source>Except</source>
        <translation>Außer</translation>
    </message>
    <message>
        <source>nothing; or: drafts; *.txt; archive/old</source>
        <translation>nichts; oder: Entwürfe; *.txt; archiv/alt</translation>
    </message>
    <message>
        <source>Try a path</source>
        <translation>Einen Pfad versuchen</translation>
    </message>
    <message>
        <source>a path in the folder: is it taken?</source>
        <translation>ein Pfad im Ordner: Wird er genommen?</translation>
    </message>
    <message>
        <source>What becomes of the path</source>
        <translation>Was aus dem Pfad wird</translation>
    </message>
    <message>
        <source>Choose a folder to follow</source>
        <translation>Einen Ordner wählen, dem gefolgt wird</translation>
    </message>
    <message>
        <source>It is taken.</source>
        <translation>Er wird genommen.</translation>
    </message>
    <message>
        <source>It does not lie in this folder.</source>
        <translation>Er liegt nicht in diesem Ordner.</translation>
    </message>
    <message>
        <source>It is left out: {pattern} matches.</source>
        <translation>Er wird ausgelassen: {pattern} trifft zu.</translation>
    </message>
    <message>
        <source>It is left out: nothing under “Only” matches.</source>
        <translation>Er wird ausgelassen: Nichts unter „Nur“ trifft zu.</translation>
    </message>
    <message>
        <source>It is left out: hidden, or no kind of file that is read.</source>
        <translation>Er wird ausgelassen: verborgen, oder keine Art von Datei, die gelesen wird.</translation>
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
        <source>BM25 {score}: the rarer the words that stand here, and the shorter the sentence, the higher. It compares hits of this search only.</source>
        <translation>BM25 {score}: je seltener die Wörter sind, die hier stehen, und je kürzer der Satz ist, desto höher. Es vergleicht nur Treffer dieser Suche.</translation>
    </message>
    <message>
        <source>Cosine similarity {score}.</source>
        <translation>Kosinus-Ähnlichkeit {score}.</translation>
    </message>
    <message>
        <source>How alike the model finds the two sentences: 1 means the same, about 0 means nothing to do with each other. It is not a percentage.</source>
        <translation>Wie ähnlich das Modell die beiden Sätze findet: 1 heißt dasselbe, um 0 heißt, dass sie nichts miteinander zu tun haben. Es ist kein Prozentwert.</translation>
    </message>
    <message>
        <source>{standing} of random pairs in this library.</source>
        <translation>{standing} der zufälligen Paare in dieser Bibliothek.</translation>
    </message>
</context>
<context>
    <name>compare</name>
    <message>
        <source>How alike in direction: 1 is the same, 0 is unrelated, below 0 is rare.</source>
        <translation>Wie ähnlich in der Richtung: 1 ist dasselbe, 0 ist ohne Beziehung, unter 0 ist selten.</translation>
    </message>
    <message>
        <source>The cosine times both lengths. Both are 1 here, so it is the cosine.</source>
        <translation>Der Kosinus mal beide Längen. Beide sind hier 1, also ist es der Kosinus.</translation>
    </message>
    <message>
        <source>How far apart: 0 is the same place, 2 the most. Here it is {formula}.</source>
        <translation>Wie weit auseinander: 0 ist derselbe Ort, 2 das Höchste. Hier ist es {formula}.</translation>
    </message>
    <message>
        <source>The cosine times both lengths: long vectors make it larger.</source>
        <translation>Der Kosinus mal beide Längen: Lange Vektoren machen es größer.</translation>
    </message>
    <message>
        <source>How far apart: 0 is the same place.</source>
        <translation>Wie weit auseinander: 0 ist derselbe Ort.</translation>
    </message>
</context>
<context>
    <name>notation</name>
    <message>
        <source>these words, one after the other</source>
        <translation>diese Wörter, eines nach dem anderen</translation>
    </message>
    <message>
        <source>the word has to be there</source>
        <translation>das Wort muss vorkommen</translation>
    </message>
    <message>
        <source>the word must not be there; also before a phrase</source>
        <translation>das Wort darf nicht vorkommen; auch vor einer Wendung</translation>
    </message>
    <message>
        <source>the document&apos;s title has it</source>
        <translation>der Titel des Dokuments hat es</translation>
    </message>
    <message>
        <source>the document lies in this folder, or is this file</source>
        <translation>das Dokument liegt in diesem Ordner oder ist diese Datei</translation>
    </message>
    <message>
        <source>documents of this type, or files with this ending</source>
        <translation>Dokumente dieser Art, oder Dateien mit dieser Endung</translation>
    </message>
    <message>
        <source>files changed then or later; before: for earlier ones</source>
        <translation>Dateien, die dann oder später geändert wurden; before: für frühere</translation>
    </message>
    <message>
        <source>means the first, and not the second</source>
        <translation>meint das Erste und nicht das Zweite</translation>
    </message>
    <message>
        <source>means both together</source>
        <translation>meint beides zusammen</translation>
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
        <source>without “{value}”</source>
        <translation>ohne „{value}“</translation>
    </message>
    <message>
        <source>title has “{value}”</source>
        <translation>Titel hat „{value}“</translation>
    </message>
    <message>
        <source>in {value}</source>
        <translation>in {value}</translation>
    </message>
    <message>
        <source>type {value}</source>
        <translation>Art {value}</translation>
    </message>
    <message>
        <source>from {value} on</source>
        <translation>ab {value}</translation>
    </message>
    <message>
        <source>before {value}</source>
        <translation>vor {value}</translation>
    </message>
</context>
<context>
    <name>rows</name>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>The title in the file</source>
        <translation>Der Titel in der Datei</translation>
    </message>
</context>
<context>
    <name>scale</name>
    <message>
        <source>judged unrelated</source>
        <translation>ohne Beziehung</translation>
    </message>
    <message>
        <source>judged related</source>
        <translation>verwandt</translation>
    </message>
    <message>
        <source>judged to mean the same</source>
        <translation>dasselbe</translation>
    </message>
</context>
<context>
    <name>search</name>
    <message>
        <source>Nothing closer than chance; what comes nearest is below</source>
        <translation>Nichts, was näher wäre als Zufall; darunter, was am nächsten kommt</translation>
    </message>
    <message>
        <source>{sentences} with these words, the best first</source>
        <translation>{sentences} mit diesen Wörtern, die besten zuerst</translation>
    </message>
    <message>
        <source>The best {count} with these words</source>
        <translation>Die besten {count} mit diesen Wörtern</translation>
    </message>
    <message>
        <source>All {sentences} in this part of the library, the nearest first</source>
        <translation>Alle {sentences} in diesem Teil der Bibliothek, die nächsten zuerst</translation>
    </message>
    <message>
        <source>The nearest {count} in this part of the library</source>
        <translation>Die nächsten {count} in diesem Teil der Bibliothek</translation>
    </message>
    <message>
        <source>All {sentences}, the nearest first</source>
        <translation>Alle {sentences}, die nächsten zuerst</translation>
    </message>
    <message>
        <source>All {sentences} so far, the nearest first; more are coming in</source>
        <translation>Alle {sentences} bisher, die nächsten zuerst; weitere kommen herein</translation>
    </message>
    <message>
        <source>The nearest {count} of {sentences}</source>
        <translation>Die nächsten {count} von {sentences}</translation>
    </message>
    <message>
        <source>The nearest {count} of {sentences} so far; more are coming in</source>
        <translation>Die nächsten {count} von bisher {sentences}; weitere kommen herein</translation>
    </message>
</context>
<context>
    <name>shortcuts</name>
    <message>
        <source>In the search box</source>
        <translation>Im Suchfeld</translation>
    </message>
    <message>
        <source>Next or previous hit</source>
        <translation>Nächster oder voriger Treffer</translation>
    </message>
    <message>
        <source>Several hits on</source>
        <translation>Mehrere Treffer weiter</translation>
    </message>
    <message>
        <source>Open the chosen hit</source>
        <translation>Den gewählten Treffer öffnen</translation>
    </message>
    <message>
        <source>Empty the box</source>
        <translation>Das Feld leeren</translation>
    </message>
    <message>
        <source>In lists and dialogs</source>
        <translation>In Listen und Dialogen</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Choose several</source>
        <translation>Mehrere wählen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>What can be done with it</source>
        <translation>Was man damit tun kann</translation>
    </message>
    <message>
        <source>Go to the next part</source>
        <translation>Zum nächsten Teil gehen</translation>
    </message>
    <message>
        <source>Close a dialog</source>
        <translation>Einen Dialog schließen</translation>
    </message>
</context>
<context>
    <name>states</name>
    <message>
        <source>Drop PDFs or text here</source>
        <translation>Ziehen Sie PDFs oder Texte hierher</translation>
    </message>
    <message>
        <source>Kindred finds the sentences in your documents that mean what you ask for, whatever their words. Everything stays on this computer, in the folder that the preferences show, and can be removed again.</source>
        <translation>Kindred findet in Ihren Dokumenten die Sätze, die sagen, was Sie suchen, mit welchen Worten auch immer. Alles bleibt auf diesem Rechner, in dem Ordner, den die Einstellungen zeigen, und kann wieder entfernt werden.</translation>
    </message>
    <message>
        <source>You can type already; the search runs as soon as the model is loaded.</source>
        <translation>Sie können schon tippen; gesucht wird, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Your search runs as soon as the model is loaded.</source>
        <translation>Ihre Suche beginnt, sobald das Modell geladen ist.</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Reading your documents…</source>
        <translation>Ihre Dokumente werden gelesen…</translation>
    </message>
    <message>
        <source>The first sentences can be searched in a moment; the rest follows while you search.</source>
        <translation>Die ersten Sätze können gleich durchsucht werden; der Rest folgt, während Sie suchen.</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Es wird gesucht…</translation>
    </message>
    <message>
        <source>There is nothing to search yet</source>
        <translation>Es gibt noch nichts zu durchsuchen</translation>
    </message>
    <message>
        <source>No document could be read so far. The list at the left says why.</source>
        <translation>Bisher konnte kein Dokument gelesen werden. Die Liste links sagt, warum.</translation>
    </message>
    <message>
        <source>Nothing found here</source>
        <translation>Hier wurde nichts gefunden</translation>
    </message>
    <message>
        <source>Only a part of the library is searched.</source>
        <translation>Nur ein Teil der Bibliothek wird durchsucht.</translation>
    </message>
    <message>
        <source>Nothing fits all of it</source>
        <translation>Nichts passt zu allem</translation>
    </message>
    <message>
        <source>Your query rules things out. Take a condition away, or look for something else.</source>
        <translation>Ihre Anfrage schließt etwas aus. Nehmen Sie eine Bedingung weg, oder suchen Sie etwas anderes.</translation>
    </message>
    <message>
        <source>Try other words, or a whole sentence.</source>
        <translation>Versuchen Sie andere Wörter oder einen ganzen Satz.</translation>
    </message>
    <message>
        <source>Documents are still coming in; what is found later appears here.</source>
        <translation>Es kommen noch Dokumente herein; was später gefunden wird, erscheint hier.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Ask a question or paste a sentence. The nearest of {sentences} come first, even when they share no word with it.</source>
        <translation>Stellen Sie eine Frage oder fügen Sie einen Satz ein. Die nächsten von {sentences} kommen zuerst, auch wenn sie kein Wort mit ihm teilen.</translation>
    </message>
    <message>
        <source>{sentences} can be searched already, and more are coming in.</source>
        <translation>{sentences} können schon durchsucht werden, und weitere kommen herein.</translation>
    </message>
    <message>
        <source>What are you looking for?</source>
        <translation>Was suchen Sie?</translation>
    </message>
</context>
<context>
    <name>window</name>
    <message>
        <source>The settings could not be read, and the defaults are used. The file is kept as {file}.</source>
        <translation>Die Einstellungen konnten nicht gelesen werden, und die Vorgaben gelten. Die Datei liegt noch als {file} da.</translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>p. {page}</source>
        <translation>S. {page}</translation>
    </message>
    <message>
        <source>a moment</source>
        <translation>ein Augenblick</translation>
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
        <source>{count} failed</source>
        <translation>{count} gescheitert</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>Book (EPUB)</source>
        <translation>Buch (EPUB)</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>Mail</translation>
    </message>
    <message>
        <source>Table (CSV, TSV)</source>
        <translation>Tabelle (CSV, TSV)</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>The system has no program to open {name} with.</source>
        <translation>Das System hat kein Programm, das {name} öffnen kann.</translation>
    </message>
    <message>
        <source>{name} is no longer where it was: {path}</source>
        <translation>{name} ist nicht mehr, wo es war: {path}</translation>
    </message>
    <message>
        <source>Protected by a password</source>
        <translation>Durch ein Passwort geschützt</translation>
    </message>
    <message>
        <source>Holds no text</source>
        <translation>Enthält keinen Text</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Not a kind of file that can be read</source>
        <translation>Keine Art von Datei, die gelesen werden kann</translation>
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
        <source>Could not be opened</source>
        <translation>Konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>The model cannot embed it</source>
        <translation>Das Modell kann es nicht einbetten</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>Choose it and enter its password.</source>
        <translation>Wählen Sie es und geben Sie sein Passwort ein.</translation>
    </message>
    <message>
        <source>Its pages are pictures or empty. Text recognition (OCR) has to be run on it first.</source>
        <translation>Seine Seiten sind Bilder oder leer. Zuerst muss eine Texterkennung (OCR) darüber laufen.</translation>
    </message>
    <message>
        <source>Try to open it in another program and save it anew.</source>
        <translation>Versuchen Sie, es in einem anderen Programm zu öffnen und neu zu speichern.</translation>
    </message>
    <message>
        <source>Convert it to a format that is read, such as PDF or plain text.</source>
        <translation>Wandeln Sie es in ein Format um, das gelesen wird, etwa PDF oder reinen Text.</translation>
    </message>
    <message>
        <source>Split it into smaller files.</source>
        <translation>Teilen Sie es in kleinere Dateien.</translation>
    </message>
    <message>
        <source>Save it anew with another program, then retry.</source>
        <translation>Speichern Sie es mit einem anderen Programm neu und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Check that it is still there and that you may read it, then retry.</source>
        <translation>Prüfen Sie, ob es noch da ist und ob Sie es lesen dürfen, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The model&apos;s files may be damaged: copy the model anew, or use another one.</source>
        <translation>Die Dateien des Modells sind vielleicht beschädigt: Kopieren Sie das Modell neu oder verwenden Sie ein anderes.</translation>
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
        <source>above {share} %</source>
        <translation>über {share} %</translation>
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
        <source>{rate} a second</source>
        <translation>{rate} je Sekunde</translation>
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
        <translation>gescheitert</translation>
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
        <source>Nothing to import there</source>
        <translation>Dort ist nichts zu importieren</translation>
    </message>
    <message>
        <source>Something went wrong inside the program</source>
        <translation>Im Programm ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>A report that you can copy has been opened.</source>
        <translation>Ein Bericht, den Sie kopieren können, wurde geöffnet.</translation>
    </message>
</context>
</TS>
