import { expect, test } from 'vitest'
import { cleanName } from './invite.ts'

test.each([
  ['Tower & Bells', 'Tower & Bells'],
  ['Łódź Ágora 東京', 'Łódź Ágora 東京'],
  ['O’Brien-Ryan', 'O’Brien-Ryan'],
  ['Your account is locked: https://evil.example/login', 'Your account is locked https evil exampl…'],
  ['evil.example', 'evil example'],
  ['Tower\r\nBcc: everybody@example.com', 'Tower Bcc everybody example com'],
  ['a\u202Egnp.exe', 'a gnp exe'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil example'],
  ['!!!', 'a workspace'],
])('the name %j is written as %j', (name, cleaned) => {
  expect(cleanName(name, 'a workspace')).toBe(cleaned)
})
