import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { germanWords } from './german-words.ts'

/** The categories that can be chosen everywhere (videoCategories.list). */
const categories = {
  '1': 'Film & animation',
  '2': 'Cars & vehicles',
  '10': 'Music',
  '15': 'Pets & animals',
  '17': 'Sport',
  '19': 'Travel & events',
  '20': 'Gaming',
  '22': 'People & blogs',
  '23': 'Comedy',
  '24': 'Entertainment',
  '25': 'News & politics',
  '26': 'How-to & style',
  '27': 'Education',
  '28': 'Science & technology',
  '29': 'Nonprofits & activism',
}

export const settings = Type.Object(
  {
    privacy: choice(
      { public: 'Everyone', unlisted: 'Everyone with the link', private: 'Only you' },
      {
        default: 'public',
        title: 'Who can see the video',
        description: 'Until YouTube has audited the developer app of this installation, every video stays visible to you only.',
      },
    ),
    audience: choice(
      { channel: 'As set for the channel', not_kids: 'No, it is not made for kids', kids: 'Yes, it is made for kids' },
      {
        default: 'channel',
        title: 'Made for kids',
        description: 'The law wants to know. A video for kids has no comments and no personal advertising.',
      },
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[^<>,]{1,100}$',
          'x-message': 'Must be words of at most 100 characters, without < > and commas.',
          'x-has-spaces': true,
        }),
        {
          title: 'Tags',
          description: 'Words by which the video is found, with commas between them; 500 characters together.',
          maxItems: 100,
        },
      ),
    ),
    category: Type.Optional(choice(categories, { title: 'Category', description: 'If nothing is chosen, YouTube chooses one.' })),
    playlistId: Type.Optional(
      Type.String({
        title: 'Playlist',
        description: 'The id of a playlist of the channel, from its address after list=, to which the video is added.',
        pattern: '^PL[A-Za-z0-9_-]{10,62}$',
        'x-message': 'Must be the id of a playlist, which begins with PL.',
      }),
    ),
    notifySubscribers: Type.Boolean({
      default: true,
      title: 'Notify subscribers',
      description: 'YouTube tells the subscribers of the channel about the video.',
    }),
    aiGenerated: Type.Boolean({
      default: false,
      title: 'Made with AI',
      description: 'Labels the video as altered or made by artificial intelligence in a way that looks real.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
