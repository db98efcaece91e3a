import { lazy } from 'react'

/**
 * The page and the panel load the same chunk. If both contained it, so many chunks would share its dialogs that the build would move these into
 * the files of the first load.
 */
export const PostView = lazy(async () => ({ default: (await import('./post-view.tsx')).PostView }))
