import type { DeclarationsByLanguage } from '../kit/setting-words.ts'

const musicUrl = 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en'
const brandedUrl = 'https://www.tiktok.com/legal/page/global/bc-policy/en'

/** The English sentences are prescribed by TikTok's content sharing guidelines; its reviewers refuse other words for the same. */
export const declarations: DeclarationsByLanguage = {
  en: {
    labels: [
      { when: 'brandedContent', text: "Your photo/video will be labeled as 'Paid partnership'" },
      { when: 'yourBrand', text: "Your photo/video will be labeled as 'Promotional content'" },
    ],
    consent: [
      {
        when: 'brandedContent',
        text: `By posting, you agree to TikTok's [Branded Content Policy](${brandedUrl}) and [Music Usage Confirmation](${musicUrl}).`,
      },
      { when: null, text: `By posting, you agree to TikTok's [Music Usage Confirmation](${musicUrl})` },
    ],
    afterwards: 'TikTok may take a few minutes to process the post before it is visible on the profile.',
    excluded: { brandedContent: 'Branded content visibility cannot be set to private.' },
  },
  de: {
    labels: [
      { when: 'brandedContent', text: 'TikTok kennzeichnet dein Foto oder Video als „Bezahlte Partnerschaft“.' },
      { when: 'yourBrand', text: 'TikTok kennzeichnet dein Foto oder Video als „Werbeinhalt“.' },
    ],
    consent: [
      {
        when: 'brandedContent',
        text: `Mit dem Veröffentlichen stimmst du der [Richtlinie für Markeninhalte](${brandedUrl}) und der [Bestätigung zur Musiknutzung](${musicUrl}) von TikTok zu.`,
      },
      {
        when: null,
        text: `Mit dem Veröffentlichen stimmst du der [Bestätigung zur Musiknutzung](${musicUrl}) von TikTok zu.`,
      },
    ],
    afterwards: 'Bis der Beitrag im Profil zu sehen ist, können einige Minuten vergehen: TikTok verarbeitet ihn noch.',
    excluded: { brandedContent: 'Inhalte einer bezahlten Partnerschaft können nicht privat sein.' },
  },
}
