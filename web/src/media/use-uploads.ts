import type { UploadCheckpoint } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { carillon } from '../api/client.ts'
import { useMoveInto } from './folders/use-folders.ts'

export type Upload = {
  id: number
  name: string
  sizeBytes: number
  sentBytes: number
  state: 'sending' | 'done' | 'failed'
  error: unknown
  file: File
  /** The folder that was open when it was chosen. */
  folderId: string | null
}

const uploadsAtOnce = 2

/** Uploads files into the library of a workspace, two at a time. The rest waits. */
export function useUploads(workspaceId: string) {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Upload[]>([])
  const running = useRef(new Map<number, AbortController>())
  const lastId = useRef(0)
  const moveInto = useMoveInto(workspaceId)

  const change = (id: number, part: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...part } : each)))

  const run = async ({ id, file, folderId }: Upload, signal: AbortSignal) => {
    try {
      const resumeFrom = await findCheckpoint(workspaceId, file)
      const onProgress = ({ sentBytes }: { sentBytes: number }) => change(id, { sentBytes })
      const media = await carillon.media.uploadFile(file, { workspaceId, signal, onProgress, ...(resumeFrom && { resumeFrom }) })
      await moveInto(media.id, folderId)
      change(id, { state: 'done', sentBytes: file.size })
    } catch (error) {
      if (!signal.aborted) change(id, { state: 'failed', error })
    }
    for (const operation of ['media.list', 'media.tags', 'media.uploads'])
      void queryClient.invalidateQueries({ queryKey: [operation, workspaceId] })
  }

  const next = () => {
    while (running.current.size < uploadsAtOnce) {
      const upload = queue.current.shift()
      if (!upload) return
      const stop = new AbortController()
      running.current.set(upload.id, stop)
      void run(upload, stop.signal).finally(() => {
        running.current.delete(upload.id)
        next()
      })
    }
  }

  const start = (upload: Upload) => {
    queue.current.push(upload)
    next()
  }

  return {
    uploads,
    add(files: readonly File[], folderId: string | null) {
      const added = files.map((file): Upload => {
        lastId.current += 1
        const { name, size: sizeBytes } = file
        return { id: lastId.current, name, sizeBytes, sentBytes: 0, state: 'sending', error: null, file, folderId }
      })
      setUploads((before) => [...before.filter(({ state }) => state !== 'done'), ...added])
      for (const upload of added) start(upload)
    },
    retry(upload: Upload) {
      change(upload.id, { state: 'sending', sentBytes: 0, error: null })
      start(upload)
    },
    /** Stops it if it is under way, and takes it out of the list. */
    dismiss({ id }: Upload) {
      running.current.get(id)?.abort()
      queue.current = queue.current.filter((each) => each.id !== id)
      setUploads((before) => before.filter((each) => each.id !== id))
    },
  }
}

/** Smaller files are sent in one request and cannot be continued. The SDK has the same limit. */
const partsFromBytes = 16 * 1024 * 1024

/** Where an earlier upload of the same file stopped, in this browser or in another. */
async function findCheckpoint(workspaceId: string, file: File): Promise<UploadCheckpoint | null> {
  if (file.size < partsFromBytes) return null
  const pending = await carillon.media.uploads({ workspaceId })
  const same = pending.find(({ name, sizeBytes }) => name === file.name && sizeBytes === file.size)
  if (!same) return null
  const { id, partSizeBytes, parts, expiresAt } = await carillon.media.uploadStatus(same.id, { workspaceId })
  return {
    upload: { id, partSizeBytes, expiresAt, parts: parts.map(({ partNumber, url }) => ({ partNumber, url })) },
    parts: parts.flatMap(({ partNumber, etag }) => (etag === null ? [] : [{ partNumber, etag }])),
  }
}
