import type { exports } from '../exchange/exports.ts'
import type { ExamplesOf } from './case.ts'

const post = {
  id: '6739c4e09b1e8a0012ab3401',
  type: 'text',
  status: 'scheduled',
  connections: ['x-thetower'],
  text: 'The bells ring again.',
  scheduledAt: '2026-12-01T09:00:00.000Z',
}

export const exportExamples: ExamplesOf<typeof exports> = {
  csv: [
    {
      returns:
        'id,type,status,connections,text,title,firstComment,linkUrl,scheduledAt,timezone,contentFormat,externalId,medias,mediaUrls,mediaOptions,' +
        'thread,platformOptions,labels,aiGenerated,metadata\r\n' +
        '6739c4e09b1e8a0012ab3401,text,scheduled,x-thetower,The bells ring again.,,,,2026-12-01T09:00:00.000Z,,,,,,,,,,,\r\n',
    },
  ],
  lines: [{ returns: `${JSON.stringify(post)}\n` }],
}
