import { expect, test } from 'vitest'
import { classify, failedVideo } from './errors.ts'

/** Guarantee: Facebook's codes decide the error kind, whether they come as a code or as a subcode. */
test.for([
  { error: { code: 190, error_subcode: 460 }, kind: 'auth' },
  { error: { code: 200 }, kind: 'auth' },
  { error: { code: 10 }, kind: 'auth' },
  { error: { code: 4 }, kind: 'limited' },
  { error: { code: 80_001 }, kind: 'limited' },
  { error: { code: 368 }, kind: 'limited' },
  { error: { code: 1, error_subcode: 1_390_008 }, kind: 'limited' },
  { error: { code: 1 }, kind: 'unknown' },
  { error: { code: 1_363_047 }, kind: 'unavailable' },
  { error: { code: 2, error_subcode: 1_609_010 }, kind: 'unavailable' },
  { error: { code: 506 }, kind: 'rejected', isDuplicate: true },
  { error: { code: 100, error_subcode: 1_366_051 }, kind: 'rejected', isDuplicate: true },
  { error: { code: 100, error_subcode: 1_609_005 }, kind: 'rejected' },
  { error: { code: 100, error_subcode: 33 }, kind: 'gone' },
  { error: { code: 100, error_subcode: 1_404_078 }, kind: 'rejected', reason: 'restricted' },
  { error: { code: 324, error_subcode: 1_366_046 }, kind: 'rejected', reason: 'file_format' },
  { error: { code: 6001 }, kind: 'rejected', isTemporary: true },
  { error: { code: 100 }, kind: 'rejected', isTemporary: false },
  { error: { code: 987_654, is_transient: true }, kind: 'unavailable' },
])('$error.code/$error.error_subcode is $kind', ({ error, ...expected }) => {
  expect(classify({ status: 400, headers: {}, body: { error } }, 0)).toMatchObject(expected)
})

test.for([
  [1_363_129, 'video_frame_rate'],
  [190, 'file_unprocessed'],
  [undefined, 'file_unprocessed'],
] as const)('a video that failed with %s is refused: %s', ([code, reason]) => {
  expect(failedVideo(code)).toMatchObject({ kind: 'rejected', reason })
})
