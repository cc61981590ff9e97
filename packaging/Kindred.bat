@echo off
rem Starts Kindred from this checkout on Windows: double-click it, or drop files on it.
setlocal
rem A Python for which all packages come compiled; else any that is new enough. What is called `python` may only open the
rem Store: each is tried.
set "tested=import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
set "recent=import sys; sys.exit(sys.version_info < (3, 11))"
set "python="
call :try "%tested%" py -3
call :try "%tested%" python
for %%v in (3.13 3.12 3.11) do call :try "%tested%" py -%%v
call :try "%recent%" py -3
call :try "%recent%" python
if not defined python (
    echo Kindred needs Python 3.11 to 3.13, and none was found. See https://www.python.org/downloads/
    pause
    exit /b 3
)
%python% "%~dp0run.py" %*
set "status=%errorlevel%"
if not "%status%"=="0" pause
exit /b %status%

:try
if defined python exit /b
rem "call": what is found may be a batch file too, which would not come back.
call %2 %3 -c %1 >nul 2>nul && set "python=%2 %3"
exit /b
