export const commentWarning =
  'The database was restored from a backup, so the first comment may or may not have been posted. Check the platform.'
