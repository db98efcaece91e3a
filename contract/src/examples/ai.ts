import type { ai } from '../ai.ts'
import type { ExamplesOf } from './case.ts'

export const aiExamples: ExamplesOf<typeof ai> = {
  status: [{ returns: { available: true, model: 'qwen3-32b' } }],
  generateContent: [
    {
      body: {
        uploadType: 'text',
        platforms: ['bluesky', 'x'],
        text: 'The bells ring at nine on Sunday. The tower is small, so people should come early.',
        tone: 'casual',
        brandVoice: 'Warm and short. No exclamation marks.',
      },
      returns: {
        content: {
          bluesky: 'Sunday, nine o’clock, bells. The tower is small, so come a little early.',
          x: 'Bells at nine on Sunday. Small tower, come early.',
        },
      },
    },
  ],
  suggestHashtags: [
    {
      body: {
        text: 'The bells ring at nine on Sunday.',
        platforms: ['bluesky'],
        count: 2,
        existingHashtags: ['#bells'],
      },
      returns: [{ platform: 'bluesky', hashtags: ['#carillon', '#sundaymorning'] }],
    },
  ],
}
