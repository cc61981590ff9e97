; Inno Setup script for Windows: per user, no administrator. packaging/build.py defines Version, Bundle and Icon.

[Setup]
AppId={{6C0E1B5A-54F5-4C0E-9B43-6E2B2C5F7D21}
AppName=Kindred
AppVersion={#Version}
AppVerName=Kindred {#Version}
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Kindred
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
DisableProgramGroupPage=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\kindred.exe
OutputBaseFilename=kindred-{#Version}-windows-x86_64-setup
Compression=lzma2
SolidCompression=yes
ChangesAssociations=yes
CloseApplications=yes
#ifdef Signed
SignTool=kindred
SignedUninstaller=yes
#endif

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "german"; MessagesFile: "compiler:Languages\German.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; An earlier version had packages that this one lacks, or has in another version.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Kindred"; Filename: "{app}\kindred.exe"
Name: "{autodesktop}\Kindred"; Filename: "{app}\kindred.exe"; Tasks: desktopicon

[Registry]
; "Open with" offers Kindred for these types without changing their default program.
Root: HKA; Subkey: "Software\Classes\Applications\kindred.exe"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "Kindred"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\kindred.exe\shell\open\command"; ValueType: string; ValueData: """{app}\kindred.exe"" ""%1"""
; Links into a library: what follows "--" is never an option.
Root: HKA; Subkey: "Software\Classes\kindred"; ValueType: string; ValueData: "URL:Kindred"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\kindred"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\kindred\shell\open\command"; ValueType: string; ValueData: """{app}\kindred.exe"" -- ""%1"""
#define Offer(Suffix) "Root: HKA; Subkey: ""Software\Classes\Applications\kindred.exe\SupportedTypes""; ValueType: string; ValueName: """ + Suffix + """; ValueData: """""
; One line per suffix, written by packaging/build.py.
#include "..\..\build\work\file_types.iss"

[Run]
Filename: "{app}\kindred.exe"; Description: "{cm:LaunchProgram,Kindred}"; Flags: nowait postinstall skipifsilent
