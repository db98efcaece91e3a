import type { Endpoint } from '@carillon/contract'
import fc, { type Arbitrary } from 'fast-check'
import { makeMp4, makePdf, makePng } from '../support/files.ts'
import type { RequestBody } from './request-body.ts'

type Bytes = Uint8Array<ArrayBuffer>
type SmallFile = { name: string; bytes: Bytes }

/** Valid files by the kind that an endpoint accepts, small enough to be sent thousands of times. */
export type SmallFiles = Readonly<Record<'image' | 'video' | 'document', readonly SmallFile[]>>

/** What forms contain: files, and connections to publish them to. */
export type FormInputs = { files: SmallFiles; connections: readonly string[] }

export async function makeSmallFiles(): Promise<SmallFiles> {
  return {
    image: [1, 2, 3].map((n) => ({ name: `${n}.png`, bytes: makePng(n, 40) })),
    video: [{ name: 'clip.mp4', bytes: await makeMp4() }],
    document: [{ name: 'paper.pdf', bytes: makePdf() }],
  }
}

const kinds: Readonly<Record<string, keyof SmallFiles>> = {
  'content.createPhotos': 'image',
  'content.createVideo': 'video',
  'content.createDocument': 'document',
}
const names = ['', 'ünïcode 🙂.png', '../../etc/passwd', 'a'.repeat(300), 'no-ending', '<b>.svg', "'; drop table media; --"]

/** Whether the endpoint accepts a form with files. */
export function takesForm({ form }: Endpoint): boolean {
  return form !== undefined
}

/** Forms that must be refused, quickly and without reading all of them: unknown and too many parts, and fields that are too large together. */
export function hostileForms(): Arbitrary<RequestBody> {
  const refused = (what: string, parts: readonly Buffer[]) => ({ ...formBody(what, parts), mayBeAccepted: false })
  const many = (count: number, make: (n: number) => Buffer) => Array.from({ length: count }, (_, n) => make(n))
  return fc.constantFrom(
    refused(
      'a form with large unknown fields',
      many(10, (n) => part(`f${n}`, 'a'.repeat(900_000))),
    ),
    refused(
      'a form with many unknown fields',
      many(500, (n) => part(`f${n}`, 'a')),
    ),
    refused(
      'a form with large known fields',
      many(4, () => part('text', 'ب'.repeat(400_000))),
    ),
    refused(
      'a form with many known fields',
      many(500, () => part('connections[]', 'x')),
    ),
    refused('a form with a name of many characters', [part('ب.'.repeat(3000), 'a')]),
    refused('a form with reserved names', [part('__proto__', '{}'), part('constructor', '{}'), part('', '')]),
  )
}

/** A valid form with files. Lists are sent in both ways that are allowed: as repeated parts, and as one JSON part. */
export function validForm(
  endpoint: Endpoint,
  body: Arbitrary<unknown>,
  { files, connections }: FormInputs,
): Arbitrary<RequestBody> {
  if (!endpoint.body) return oneFile(files)
  const kind = kinds[endpoint.id] ?? 'image'
  const chosen = fc.array(fc.constantFrom(...files[kind]), { minLength: 1, maxLength: kind === 'image' ? 2 : 1 })
  const anyFields = fc.tuple(body, chosen, fc.boolean()).map(([value, some, isRepeated]) => {
    const { medias: _ids, ...fields } = value as Record<string, unknown>
    return post('a form with files', fields, some, { isRepeated, mustBeAccepted: false })
  })
  const some = fc.uniqueArray(fc.constantFrom(...connections), { minLength: 1, maxLength: 4 })
  // A draft may break every platform's rules, so the service has no reason to reject it.
  const draft = fc.tuple(some, chosen, fc.boolean()).map(([slugs, named, isRepeated]) =>
    post('a draft with files', { connections: slugs, text: 'a form', saveDraft: true }, named, {
      isRepeated,
      mustBeAccepted: true,
    }),
  )
  return fc.oneof(anyFields, draft)
}

function post(
  what: string,
  fields: Record<string, unknown>,
  files: readonly SmallFile[],
  { isRepeated, mustBeAccepted }: { isRepeated: boolean; mustBeAccepted: boolean },
): RequestBody {
  const parts = Object.entries(fields).flatMap(([name, field]) => partsOf(name, field, isRepeated))
  return formBody(what, [...parts, ...files.map((each) => filePart('medias[]', each))], mustBeAccepted)
}

/** An upload of one valid file. It must be accepted unless its name is unusual. */
function oneFile(files: SmallFiles): Arbitrary<RequestBody> {
  const file = fc.constantFrom(...Object.values(files).flat())
  const name = fc.option(fc.constantFrom(...names), { nil: null })
  return fc
    .tuple(file, name)
    .map(([each, odd]) => formBody('a file', [filePart('file', odd ? { ...each, name: odd } : each)], odd === null))
}

function partsOf(name: string, value: unknown, isRepeated: boolean): Buffer[] {
  if (Array.isArray(value) && name === 'connections' && isRepeated) return value.map((each) => part(`${name}[]`, String(each)))
  return [part(name, typeof value === 'string' ? value : JSON.stringify(value))]
}

const boundary = 'a-line-no-file-has'

function part(name: string, text: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`)
}

function filePart(name: string, { name: fileName, bytes }: SmallFile): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${quoted(fileName)}"\r\n`
  return Buffer.concat([Buffer.from(`${head}Content-Type: application/octet-stream\r\n\r\n`), bytes, Buffer.from('\r\n')])
}

/** Escapes a name as browsers do. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function formBody(what: string, parts: readonly Buffer[], mustBeAccepted = false): RequestBody {
  const body = new Uint8Array(Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]))
  return { what, type: `multipart/form-data; boundary=${boundary}`, body, mayBeAccepted: true, mustBeAccepted }
}
