import { oneOrganisationText, serviceText, type Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Since November 2025 Reddit approves each new app itself, and may refuse. Apps that exist keep working, for everybody.',
    de: 'Seit November 2025 genehmigt Reddit jede neue App selbst und lehnt auch ab. Bestehende Apps arbeiten weiter, für alle.',
  },
  facts: {
    who: { en: 'Everybody, once Reddit has approved the app', de: 'Alle, sobald Reddit die App genehmigt hat' },
    money: {
      en: 'None for up to 100 calls a minute and uses that are not commercial; others need a contract',
      de: 'Keine bis 100 Aufrufe in der Minute und ohne kommerzielle Nutzung; sonst braucht es einen Vertrag',
    },
    wait: { en: 'Weeks, and not every request is answered', de: 'Wochen, und nicht jeder Antrag wird beantwortet' },
    ends: {
      en: 'The person removes the app, or Reddit suspends the app or the account.',
      de: 'Die Person entfernt die App, oder Reddit sperrt die App oder das Konto.',
    },
  },
  app: {
    id: {
      name: 'Client ID',
      mistakes: [
        {
          pattern: /^.{1,13}$|^.{31,}$|[^\w-]/,
          words: {
            en: 'The client id is the short text below the name of the app and “web app”.',
            de: 'Die Client-ID ist der kurze Text unter dem Namen der App und „web app“.',
          },
        },
      ],
    },
    secret: { name: 'secret', mistakes: [] },
  },
  steps: [
    {
      title: { en: 'Ask for access', de: 'Zugang beantragen' },
      text: [
        {
          en: 'File the request that the *Responsible Builder Policy* links to, as a developer whose use Devvit does not support: posts go to other platforms too, and are scheduled. Say that it publishes posts that people wrote for accounts they own, and that it reads nothing but their own posts.',
          de: 'Stelle den Antrag, auf den die *Responsible Builder Policy* verweist, als Entwickler, dessen Zweck Devvit nicht abdeckt: Beiträge gehen auch an andere Plattformen und werden geplant. Schreibe, dass er Beiträge veröffentlicht, die Menschen für eigene Konten geschrieben haben, und nur deren eigene Beiträge liest.',
        },
      ],
      paste: [serviceText, oneOrganisationText],
      values: ['name', 'website', 'privacyUrl'],
    },
    {
      title: { en: 'Create the app', de: 'App anlegen' },
      text: [
        {
          en: 'With the approved account, open reddit.com/prefs/apps and choose *create another app*, of the type *web app*. An account may have one app. Enter the address as *redirect uri*.',
          de: 'Öffne mit dem genehmigten Konto reddit.com/prefs/apps und wähle *create another app*, vom Typ *web app*. Ein Konto darf eine App haben. Trage die Adresse als *redirect uri* ein.',
        },
      ],
      values: ['redirectUrl'],
    },
    {
      title: { en: 'Copy id and secret', de: 'ID und Secret kopieren' },
      text: [
        {
          en: 'The id stands below the name of the app, the secret beside *secret*. The permissions need no setting: people agree to them when they connect.',
          de: 'Die ID steht unter dem Namen der App, das Secret neben *secret*. Die Berechtigungen muss man nicht einstellen: man stimmt ihnen beim Verbinden zu.',
        },
      ],
      values: ['scopes'],
    },
    {
      title: { en: 'Choose the subreddit', de: 'Den Subreddit wählen' },
      text: [
        {
          en: 'Each post names its subreddit, and its flair where the subreddit wants one. Without a subreddit it goes to the profile of the account. Read the rules of a subreddit first: many forbid advertising, and remove posts of new accounts.',
          de: 'Jeder Beitrag nennt seinen Subreddit und, wo dieser es verlangt, sein Flair. Ohne Subreddit geht er auf das Profil des Kontos. Lies vorher die Regeln des Subreddits: viele verbieten Werbung und entfernen Beiträge neuer Konten.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: '`invalid redirect_uri parameter`', de: '`invalid redirect_uri parameter`' },
      cure: {
        en: 'The address in *redirect uri* differs from this one, if only by a letter.',
        de: 'Die Adresse in *redirect uri* weicht von dieser ab, und sei es um einen Buchstaben.',
      },
    },
    {
      sign: { en: 'A post is published and cannot be seen', de: 'Ein Beitrag ist veröffentlicht und nicht zu sehen' },
      cure: {
        en: 'A moderator, a rule of the subreddit or a filter has removed it; only the author still sees it. Ask the moderators.',
        de: 'Moderation, eine Regel des Subreddits oder ein Filter hat ihn entfernt; nur der Autor sieht ihn noch. Frage die Moderation.',
      },
    },
    {
      sign: { en: 'Posts are sent late', de: 'Beiträge gehen spät hinaus' },
      cure: {
        en: 'New accounts, and those with little karma, may post only every few minutes. The app has 100 calls a minute for all people together.',
        de: 'Neue Konten und solche mit wenig Karma dürfen nur alle paar Minuten schreiben. Die App hat 100 Aufrufe in der Minute für alle zusammen.',
      },
    },
  ],
  sources: [
    { url: 'https://support.reddithelp.com/hc/en-us/articles/42728983564564-Responsible-Builder-Policy', on: '2026-11-19' },
    { url: 'https://www.reddit.com/r/redditdev/comments/1oug31u/', on: '2026-11-19' },
    { url: 'https://github.com/reddit-archive/reddit/wiki/OAuth2', on: '2026-11-14' },
  ],
}
