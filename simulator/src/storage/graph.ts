/** Accounts, posts and media refer to each other in cycles, so they are stored as a list of objects that name each other by position. */
export type Graph = { root: Encoded; objects: EncodedObject[] }

type Encoded = string | number | boolean | null | { ref: number } | { number: string }
type EncodedObject =
  | { fields: Record<string, Encoded> }
  | { list: Encoded[] }
  | { map: [Encoded, Encoded][] }
  | { set: Encoded[] }
  | { file: string }

/** Files are stored beside the graph, because uploads would make it too large. `read` returns undefined for a file that is missing. */
export type FileStore = { write: (bytes: Buffer) => string; read: (name: string) => Buffer | undefined }

export function encodeGraph(root: unknown, { write }: Pick<FileStore, 'write'>): Graph {
  const objects: EncodedObject[] = []
  const positions = new Map<object, number>()

  const encode = (value: unknown): Encoded => {
    if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return value ?? null
    if (typeof value === 'number') return Number.isFinite(value) ? value : { number: String(value) }
    if (typeof value !== 'object') throw new Error(`a ${typeof value} cannot be stored`)
    const known = positions.get(value)
    if (known !== undefined) return { ref: known }
    const position = objects.length
    positions.set(value, position)
    // The position must be taken before the content is encoded, because the content can refer back to this object.
    objects.push({ list: [] })
    objects[position] = encodeObject(value)
    return { ref: position }
  }

  const encodeObject = (value: object): EncodedObject => {
    if (Buffer.isBuffer(value)) return { file: write(value) }
    if (Array.isArray(value)) return { list: value.map(encode) }
    if (value instanceof Map) return { map: [...value].map(([key, item]) => [encode(key), encode(item)]) }
    if (value instanceof Set) return { set: [...value].map(encode) }
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    return { fields: Object.fromEntries(entries.map(([key, item]) => [key, encode(item)])) }
  }

  return { root: encode(root), objects }
}

export function decodeGraph({ root, objects }: Graph, { read }: Pick<FileStore, 'read'>): unknown {
  const decoded = objects.map((object) => createEmpty(object, read))
  const decode = (value: Encoded): unknown => {
    if (typeof value !== 'object' || value === null) return value
    return 'ref' in value ? decoded[value.ref] : Number(value.number)
  }
  for (const [position, object] of objects.entries()) fill(decoded[position], object, decode)
  return decode(root)
}

function createEmpty(object: EncodedObject, read: FileStore['read']): unknown {
  if ('file' in object) return read(object.file)
  if ('list' in object) return []
  if ('map' in object) return new Map()
  return 'set' in object ? new Set() : {}
}

function fill(target: unknown, object: EncodedObject, decode: (value: Encoded) => unknown): void {
  if ('list' in object && Array.isArray(target)) for (const item of object.list) target.push(decode(item))
  else if ('map' in object && target instanceof Map) for (const [key, item] of object.map) target.set(decode(key), decode(item))
  else if ('set' in object && target instanceof Set) for (const item of object.set) target.add(decode(item))
  else if ('fields' in object && typeof target === 'object' && target !== null)
    Object.assign(target, Object.fromEntries(Object.entries(object.fields).map(([key, item]) => [key, decode(item)])))
}
