"""What the reader pane is made of: pages, stored text, and what is chosen in them."""
