<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%Ln documents</source>
        <translation>
            <numerusform>%Ln document</numerusform>
            <numerusform>%Ln documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sentences</source>
        <translation>
            <numerusform>%Ln sentence</numerusform>
            <numerusform>%Ln sentences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln notes</source>
        <translation>
            <numerusform>%Ln note</numerusform>
            <numerusform>%Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln collections</source>
        <translation>
            <numerusform>%Ln collection</numerusform>
            <numerusform>%Ln collections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pairs</source>
        <translation>
            <numerusform>%Ln pair</numerusform>
            <numerusform>%Ln pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passages</source>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln places</source>
        <translation>
            <numerusform>%Ln place</numerusform>
            <numerusform>%Ln places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln topics</source>
        <translation>
            <numerusform>%Ln topic</numerusform>
            <numerusform>%Ln topics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln rows</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chapters</source>
        <translation>
            <numerusform>%Ln chapter</numerusform>
            <numerusform>%Ln chapters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln slides</source>
        <translation>
            <numerusform>%Ln slide</numerusform>
            <numerusform>%Ln slides</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seconds</source>
        <translation>
            <numerusform>%Ln second</numerusform>
            <numerusform>%Ln seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minutes</source>
        <translation>
            <numerusform>%Ln minute</numerusform>
            <numerusform>%Ln minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln hours</source>
        <translation>
            <numerusform>%Ln hour</numerusform>
            <numerusform>%Ln hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln near-duplicates grouped</source>
        <translation>
            <numerusform>%Ln near-duplicate grouped</numerusform>
            <numerusform>%Ln near-duplicates grouped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sentences added</source>
        <translation>
            <numerusform>%Ln sentence added</numerusform>
            <numerusform>%Ln sentences added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln exact copies</source>
        <translation>
            <numerusform>%Ln exact copy</numerusform>
            <numerusform>%Ln exact copies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>also in %Ln other documents</source>
        <translation>
            <numerusform>also in %Ln other document</numerusform>
            <numerusform>also in %Ln other documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sheets</source>
        <translation>
            <numerusform>%Ln sheet</numerusform>
            <numerusform>%Ln sheets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln highlights</source>
        <translation>
            <numerusform>%Ln highlight</numerusform>
            <numerusform>%Ln highlights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %Ln locations</source>
        <translation>
            <numerusform>in %Ln location</numerusform>
            <numerusform>in %Ln locations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CitationDialog</name>
    <message numerus="yes">
        <source>Formatting %Ln citations…</source>
        <translation>
            <numerusform>Formatting %Ln citation…</numerusform>
            <numerusform>Formatting %Ln citations…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DocumentDetailsDialog</name>
    <message numerus="yes">
        <source>%Ln words</source>
        <translation>
            <numerusform>%Ln word</numerusform>
            <numerusform>%Ln words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExtractionBar</name>
    <message numerus="yes">
        <source>%Ln corrections</source>
        <translation>
            <numerusform>%Ln correction</numerusform>
            <numerusform>%Ln corrections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln words skipped</source>
        <translation>
            <numerusform>%Ln word skipped</numerusform>
            <numerusform>%Ln words skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportProgressCard</name>
    <message numerus="yes">
        <source> · %Ln more queued</source>
        <translation>
            <numerusform> · %Ln more queued</numerusform>
            <numerusform> · %Ln more queued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message numerus="yes">
        <source>%Ln references match no document.</source>
        <translation>
            <numerusform>%Ln reference matches no document.</numerusform>
            <numerusform>%Ln references match no document.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries in the file are damaged.</source>
        <translation>
            <numerusform>%Ln entry in the file is damaged.</numerusform>
            <numerusform>%Ln entries in the file are damaged.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%Ln document(s) in a language that the model doesn&apos;t know.</source>
        <translation>
            <numerusform>%Ln document in a language that the model doesn&apos;t know.</numerusform>
            <numerusform>%Ln documents in languages that the model doesn&apos;t know.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s) failed, because the model has no vectors for some of their sentences.</source>
        <translation>
            <numerusform>%Ln document failed, because the model has no vector for one of its sentences.</numerusform>
            <numerusform>%Ln documents failed, because the model has no vectors for some of their sentences.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln document(s) are waiting to be imported.</source>
        <translation>
            <numerusform>%Ln document is waiting to be imported.</numerusform>
            <numerusform>%Ln documents are waiting to be imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln copies from the library; their documents stay.</source>
        <translation>
            <numerusform>Removed %Ln copy from the library; its document stays.</numerusform>
            <numerusform>Removed %Ln copies from the library; their documents stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OtherImportersLine</name>
    <message numerus="yes">
        <source>%Ln computer(s) are importing</source>
        <translation>
            <numerusform>%Ln computer is importing</numerusform>
            <numerusform>%Ln computers are importing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PastedTextDialog</name>
    <message numerus="yes">
        <source>%Ln words</source>
        <translation>
            <numerusform>%Ln word</numerusform>
            <numerusform>%Ln words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message numerus="yes">
        <source>%Ln threads</source>
        <translation>
            <numerusform>%Ln thread</numerusform>
            <numerusform>%Ln threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RemovalController</name>
    <message numerus="yes">
        <source>%Ln documents are already erased and can&apos;t be brought back.</source>
        <translation>
            <numerusform>%Ln document is already erased and can&apos;t be brought back.</numerusform>
            <numerusform>%Ln documents are already erased and can&apos;t be brought back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrainingResultCard</name>
    <message numerus="yes">
        <source>These are the averaged weights of %Ln run(s).</source>
        <translation>
            <numerusform>These are the averaged weights of %Ln run.</numerusform>
            <numerusform>These are the averaged weights of %Ln runs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchedFoldersPage</name>
    <message numerus="yes">
        <source>%Ln more items in this folder can&apos;t be read.</source>
        <translation>
            <numerusform>%Ln more item in this folder can&apos;t be read.</numerusform>
            <numerusform>%Ln more items in this folder can&apos;t be read.</numerusform>
        </translation>
    </message>
</context>
</TS>
