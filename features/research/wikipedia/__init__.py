"""Wikipedia: built once from dumps or plain files, then linked to, walked over and counted by."""
