import { randomInt } from 'node:crypto'
import { v7 } from 'uuid'

export const cellMax = 1023

/** 20 bits that differ between processes; the counter differs within one. */
const processBits = randomInt(0x100000)
let counter = randomInt(0x1000000)
let idCell = 0

/**
 * Sets the cell (the number of this installation) for all ids that this process creates. It is a variable of the module because ids are
 * created in many places, some of which a library calls without our context, and because a process never belongs to two cells.
 */
export function setIdCell(cell: number): void {
  if (!Number.isInteger(cell) || cell < 0 || cell > cellMax)
    throw new Error(`a cell is a number from 0 to ${cellMax}, not ${cell}`)
  idCell = cell
}

/** The cell of this process. */
export function ownCell(): number {
  return idCell
}

/**
 * An id of 12 bytes in the layout of an ObjectId: 32 bits of seconds, 10 of milliseconds, 10 of the cell, 20 of the process, 24 of a counter.
 * Ids of all processes and cells therefore sort by time to the millisecond.
 */
export function newId(nowMs: number): string {
  const bytes = Buffer.alloc(12)
  counter = (counter + 1) % 0x1000000
  bytes.writeUInt32BE(Math.floor(nowMs / 1000), 0)
  // 40 bits are more than the bitwise operators of JavaScript can hold, hence the arithmetic.
  bytes.writeUIntBE((nowMs % 1000) * 2 ** 30 + idCell * 2 ** 20 + processBits, 4, 5)
  bytes.writeUIntBE(counter, 9, 3)
  return bytes.toString('hex')
}

/** No id that was made at this time or later is lower. */
export function lowestIdAt(atMs: number): string {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(Math.floor(atMs / 1000), 0)
  bytes.writeUIntBE((atMs % 1000) * 2 ** 30, 4, 5)
  return bytes.toString('hex')
}

/** The cell in which an id was created. */
export function cellOf(id: string): number {
  if (!isId(id)) throw new Error(`"${id}" is not an id`)
  return Math.floor(Number.parseInt(id.slice(8, 18), 16) / 2 ** 20) % (cellMax + 1)
}

/** A UUID v7. */
export function newUuid(): string {
  return v7()
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text)
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}
