@echo off
rem Starts Kindred from this checkout on Windows: double-click it, or drop files on it.
setlocal
set "python="
where py >nul 2>nul && set "python=py -3"
if not defined python where python >nul 2>nul && set "python=python"
if not defined python (
    echo Kindred needs Python 3.11 or newer, and none was found. See https://www.python.org/downloads/
    pause
    exit /b 3
)
%python% "%~dp0run.py" %*
set "status=%errorlevel%"
if not "%status%"=="0" pause
exit /b %status%
