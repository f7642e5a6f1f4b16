"""Commands that show shipped content and help you start: content, enhance, examples, modifiers, new, share."""
