import { createCarillon, type UploadCheckpoint, type UploadProgress } from '@carillon/sdk'
import { describe, expect, test } from 'vitest'
import { fileOf, makeMp4, makePng, padMp4 } from '../support/files.ts'
import { carillon, testStack, uniqueText } from '../test-stack.ts'

/** Guarantee: the SDK functions that send several requests work against the real service. */
describe('a large file', () => {
  test('is uploaded in parts with progress, and a lost part is sent again', async () => {
    const bytes = padMp4(await makeMp4(), 20_000_000)
    let lost = 0
    const { media } = createCarillon({
      baseUrl: testStack.baseUrl,
      apiKey: testStack.apiKey,
      workspaceId: testStack.workspaceId,
      async fetch(request) {
        if (request.method === 'PUT' && lost++ === 0) throw new TypeError('the line broke')
        return fetch(request)
      },
    })
    const seen: UploadProgress[] = []
    const made = await media.uploadFile(fileOf(bytes, 'long.mp4'), { onProgress: (progress) => seen.push(progress) })
    expect(made).toMatchObject({ name: 'long.mp4', type: 'video', sizeBytes: bytes.length })
    expect(seen.map(({ sentBytes }) => sentBytes)).toEqual(seen.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b))
    expect([seen.at(0)?.sentBytes, seen.at(-1)?.sentBytes]).toEqual([0, bytes.length])
    expect(lost).toBe(4)
    const kept = new Uint8Array(await (await fetch(made.url)).arrayBuffer())
    expect(Buffer.compare(kept, bytes)).toBe(0)
    await media.remove(made.id)
  })

  test('whose upload was interrupted is continued by another client', async () => {
    const file = fileOf(padMp4(await makeMp4(), 20_000_000), 'long.mp4')
    const stop = new AbortController()
    let kept = ''
    const onProgress = ({ sentBytes, checkpoint }: UploadProgress) => {
      kept = JSON.stringify(checkpoint)
      if (sentBytes > 0) stop.abort(new Error('enough'))
    }
    const broken = carillon.media.uploadFile(file, { onProgress, signal: stop.signal, partsAtOnce: 1 })
    await expect(broken).rejects.toThrow('enough')
    const resumeFrom: UploadCheckpoint = JSON.parse(kept)
    expect(resumeFrom.parts).toHaveLength(1)
    const made = await carillon.media.uploadFile(file, { resumeFrom })
    expect(made).toMatchObject({ id: resumeFrom.upload.id, sizeBytes: file.size })
    await carillon.media.remove(made.id)
  })
})

describe('lists in pages', () => {
  test('deleting items while iterating over the pages skips none', async () => {
    const mark = uniqueText('walk').replace(' ', '-')
    const names = [1, 2, 3].map((n) => `${mark}-${n}.png`)
    for (const [n, name] of names.entries()) await carillon.media.upload({ file: fileOf(makePng(n), name) })
    const found: string[] = []
    for await (const { id, name } of carillon.media.iterate({ search: mark, limit: 1 })) {
      found.push(name)
      await carillon.media.remove(id)
    }
    expect(found).toEqual(names.toReversed())
  })

  test('the audit log and the export can be read to the end', async () => {
    const actions: string[] = []
    for await (const { action } of carillon.workspaces.iterateAudit(testStack.workspaceId, { limit: 2 })) {
      actions.push(action)
      if (actions.length === 5) break
    }
    expect(actions).toHaveLength(5)
    const parts = new Set<string>()
    for await (const { part } of carillon.workspaces.iterateExport(testStack.workspaceId)) parts.add(part)
    expect([...parts]).toEqual(expect.arrayContaining(['workspace', 'connections', 'media', 'audit']))
  })
})
