import type { Media } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type Dispatch } from 'react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { describeError } from '../../errors/describe-error.ts'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { newKey } from '../saving/local-copy.ts'
import { runTracked } from '../saving/run-tracked.ts'
import type { ComposeAction } from '../state/compose-reducer.ts'
import type { PostFile } from '../state/compose-state.ts'
import { chosenFile, rememberFile } from './local-files.ts'

export type Uploads = {
  add(files: readonly File[]): void
  addFromLibrary(medias: readonly Media[]): void
  repeat(key: string): void
  /** Uploads another version of a file in its place. It can be taken back. */
  replace(before: PostFile, file: File): void
}

/** Uploads files to the media library, and reports their progress to the composer. */
export function useUploads(workspaceId: string, dispatch: Dispatch<ComposeAction>, isUploading: boolean): Uploads {
  const { t } = useTranslation('errors')
  const { t: words } = useTranslation('compose')
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isUploading) return
    // The browser asks before the page is closed: the text is stored, but the rest of a file would be lost.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUploading])

  const send = async (key: string, file: File) => {
    const change = (next: Partial<PostFile>) => dispatch({ type: 'changeFile', key, change: next })
    change({ problem: null, progress: 0 })
    try {
      const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) =>
        change({ progress: totalBytes === 0 ? 0 : sentBytes / totalBytes })
      const media = await runTracked(queryClient, () => carillon.media.uploadFile(file, { workspaceId, onProgress }))
      change(fieldsOf(media))
      void queryClient.invalidateQueries({ queryKey: ['media.list', workspaceId] })
    } catch (error) {
      change({ problem: describeError(error, t).sentence })
    }
  }

  return {
    add(files) {
      const added = files.map((file) => ({ file, entry: entryOf(file) }))
      for (const { file, entry } of added) rememberFile(entry.key, file)
      dispatch({ type: 'addFiles', files: added.map(({ entry }) => entry) })
      for (const { file, entry } of added) void send(entry.key, file)
    },
    addFromLibrary(medias) {
      dispatch({
        type: 'addFiles',
        files: medias.map((media) => ({ key: newKey(), alt: media.alt, problem: null, ...fieldsOf(media) })),
      })
    },
    replace(before, file) {
      const entry = { ...entryOf(file), alt: before.alt }
      rememberFile(entry.key, file)
      dispatch({ type: 'replaceFile', key: before.key, file: entry })
      void send(entry.key, file)
      showToast({
        title: words('crop.done'),
        action: { label: words('crop.undo'), run: () => dispatch({ type: 'replaceFile', key: entry.key, file: before }) },
      })
    },
    repeat(key) {
      const file = chosenFile(key)
      if (file) void send(key, file)
    },
  }
}

function entryOf(file: File): PostFile {
  const kind = file.type.startsWith('image/') ? 'image' : file.type.startsWith('video/') ? 'video' : 'document'
  const unknown = { width: null, height: null, durationSeconds: null, pages: null, hasPicture: false }
  return {
    ...unknown,
    key: newKey(),
    mediaId: null,
    name: file.name,
    kind,
    mimeType: file.type,
    sizeBytes: file.size,
    alt: '',
    progress: 0,
    problem: null,
  }
}

function fieldsOf({ id, name, type, mimeType, sizeBytes, width, height, durationSeconds, pages, thumbnailUrl }: Media) {
  const hasPicture = thumbnailUrl !== null
  return { mediaId: id, name, kind: type, mimeType, sizeBytes, width, height, durationSeconds, pages, hasPicture, progress: 1 }
}
