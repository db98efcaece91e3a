import type { calendarFeed } from '../exchange/calendar-feed.ts'
import type { ExamplesOf } from './case.ts'

const feed = { texts: true, createdAt: '2026-11-14T10:20:00.512Z' }

export const calendarFeedExamples: ExamplesOf<typeof calendarFeed> = {
  get: [{ returns: feed }],
  create: [
    {
      body: { texts: true },
      returns: { ...feed, url: 'https://posts.example.org/calendar-feeds/9m3vQ2sYq0a7C1kq5w8Zr4tXbN6uPfLhE2dGjKoRiVc.ics' },
    },
  ],
  remove: [{ returns: null }],
}
