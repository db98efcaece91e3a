import type { FailureReason } from '@carillon/contract'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import type { Refusal } from '../kit/refusal.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

export const because = explainFor('Facebook')

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const busy: Refusal = { kind: 'unavailable', ...because('busy') }
const restricted = rejected('restricted')
const badLink: Refusal = {
  ...rejected('refused'),
  message: 'Facebook could not read the page of the link, or does not accept links to it.',
}
const badUpload: Refusal = { ...rejected('file_unprocessed'), isTemporary: true }

/** Facebook's pages name some of these as a code and some as a subcode, and answers have them in either place. */
const table: Record<number, Refusal> = {
  382: rejected('file_size'),
  389: { ...rejected('file_not_fetched'), isTemporary: true },
  506: { ...rejected('duplicate'), isDuplicate: true },
  6000: badUpload,
  6001: badUpload,
  1346003: rejected('spam'),
  1363040: rejected('file_shape'),
  1363047: busy,
  1363127: rejected('file_size'),
  1363128: rejected('video_length'),
  1363129: rejected('video_frame_rate'),
  1366046: rejected('file_format'),
  1366051: { ...rejected('duplicate'), isDuplicate: true },
  1390008: { kind: 'limited', ...because('slow_down') },
  1404006: restricted,
  1404078: restricted,
  1404102: rejected('refused'),
  1404112: restricted,
  1609005: badLink,
  1609008: badLink,
  1609010: busy,
  2061006: badLink,
  2069019: rejected('file_kind'),
  4854002: restricted,
}

export const classify = classifyGraph('Facebook', {
  subcodes: { ...table, 33: { kind: 'gone', ...because('not_found') } },
  codes: table,
})

/** The reason why a video that was accepted is not published after all. */
export function failedVideo(code: number | undefined): PlatformError {
  const known = code === undefined ? undefined : table[code]
  const refusal = known?.kind === 'rejected' ? known : rejected('file_unprocessed')
  return new PlatformError({ ...refusal, platformCode: code?.toString() ?? 'error' })
}
