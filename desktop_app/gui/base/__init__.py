"""What everything in the window builds on: session, bridge, actions, theme, text for people."""
