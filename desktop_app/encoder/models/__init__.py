"""The models on this computer: found, downloaded, adapted and described."""
