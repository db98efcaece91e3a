/** A PDF of these objects. The first one is its catalog. */
export function pdfOf(...objects: string[]): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const at = file.length
    file += `${n + 1} 0 obj${object}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(file + table + end, 'latin1'))
}
