import { reviewerSteps, serviceText, videoWords, type Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'A sandbox works today for up to ten accounts of your own, with private posts only. Public posts need two approvals, and TikTok refuses tools for one person or one company.',
    de: 'Eine Sandbox geht heute für bis zu zehn eigene Konten, nur mit privaten Beiträgen. Öffentliche Beiträge brauchen zwei Freigaben, und TikTok lehnt Werkzeuge für eine Person oder eine Firma ab.',
  },
  facts: {
    who: {
      en: 'Sandbox: ten accounts that you add. After the first approval: five people a day, whose accounts are set to private',
      de: 'Sandbox: zehn Konten, die du hinzufügst. Nach der ersten Freigabe: fünf Personen am Tag, deren Konten auf privat stehen',
    },
    money: { en: 'None', de: 'Keine' },
    wait: {
      en: 'App review: days to two weeks. Audit: 2 to 4 weeks were reported',
      de: 'App-Prüfung: Tage bis zwei Wochen. Audit: berichtet wurden 2 bis 4 Wochen',
    },
    ends: {
      en: 'After 180 days without a renewal, or when the person takes a permission back. A new permission needs a review, and then everybody connects again.',
      de: 'Nach 180 Tagen ohne Erneuerung, oder wenn die Person eine Berechtigung zurücknimmt. Eine neue Berechtigung braucht eine Prüfung, und danach verbinden sich alle neu.',
    },
  },
  app: {
    id: {
      name: 'Client key',
      mistakes: [
        {
          pattern: /^\d+$/,
          words: {
            en: 'This looks like the App ID. Copy the Client key.',
            de: 'Das sieht nach der App ID aus. Kopiere den Client key.',
          },
        },
      ],
    },
    secret: { name: 'Client secret', mistakes: [] },
    vetted: {
      label: {
        en: 'TikTok approved this app for the inbox (`video.upload`)',
        de: 'TikTok hat diese App für den Posteingang freigegeben (`video.upload`)',
      },
      note: {
        en: 'People are then asked for it, and can put posts into the inbox of the TikTok app. Without the approval TikTok refuses every sign-in.',
        de: 'Dann wird danach gefragt, und Beiträge können in den Posteingang der TikTok-App kommen. Ohne die Freigabe lehnt TikTok jede Anmeldung ab.',
      },
    },
  },
  steps: [
    {
      title: { en: 'Create the app', de: 'App anlegen' },
      text: [
        {
          en: 'At developers.tiktok.com, under your picture: *Manage apps → Connect an app*. Choose an *organization* as its owner. The name must be that of your website and contain no social network; icon, category and a description of at most 120 characters follow.',
          de: 'Auf developers.tiktok.com, unter deinem Bild: *Manage apps → Connect an app*. Wähle eine *organization* als Inhaberin. Der Name muss der deiner Website sein und darf kein soziales Netzwerk enthalten; dazu Symbol, Kategorie und eine Beschreibung mit höchstens 120 Zeichen.',
        },
      ],
      values: ['name', 'termsUrl', 'privacyUrl'],
    },
    {
      title: { en: 'Make a sandbox', de: 'Sandbox anlegen' },
      text: [
        {
          en: 'Switch from *Production* to *Sandbox* and add the accounts that may connect as *target users*. A sandbox needs no review and has an id and a secret of its own.',
          de: 'Wechsle von *Production* zu *Sandbox* und füge die Konten, die sich verbinden dürfen, als *target users* hinzu. Eine Sandbox braucht keine Prüfung und hat eine eigene ID und ein eigenes Secret.',
        },
      ],
    },
    {
      title: { en: 'Add the products', de: 'Produkte hinzufügen' },
      text: [
        {
          en: '*Login Kit*: platform *Web*, and the redirect URL is entered here. *Content Posting API*: switch *Direct Post* on. Then add these scopes.',
          de: '*Login Kit*: Plattform *Web*, und hier kommt die Redirect-URL hin. *Content Posting API*: schalte *Direct Post* ein. Füge dann diese Scopes hinzu.',
        },
      ],
      values: ['redirectUrl', 'website', 'scopes'],
    },
    {
      title: { en: 'Prove the domain', de: 'Domain nachweisen' },
      text: [
        {
          en: 'TikTok fetches photos itself. *URL properties*: choose *Domain* and set the TXT record, or *URL prefix* and put the file it offers into the setting `CARILLON_SITE_FILES`. Videos need no proof.',
          de: 'TikTok holt Fotos selbst ab. *URL properties*: wähle *Domain* und setze den TXT-Eintrag, oder *URL prefix* und lege die angebotene Datei in die Einstellung `CARILLON_SITE_FILES`. Videos brauchen keinen Nachweis.',
        },
      ],
      values: ['website'],
    },
    {
      title: { en: 'Copy key and secret', de: 'Key und Secret kopieren' },
      text: [
        {
          en: 'Copy *Client key* and *Client secret* under *Credentials*, those of the sandbox at first. The App ID is something else. Set the accounts you test with to private: TikTok refuses every other one.',
          de: 'Kopiere *Client key* und *Client secret* unter *Credentials*, zuerst die der Sandbox. Die App ID ist etwas anderes. Stelle die Konten, mit denen du testest, auf privat: TikTok lehnt alle anderen ab.',
        },
      ],
    },
  ],
  review: {
    intro: {
      en: 'Two approvals: the app review, and then the audit of direct posting. Before the audit every post stays private, whatever the first approval shows. A tool for one company or one person is refused; a service with sign-up can pass.',
      de: 'Zwei Freigaben: die App-Prüfung und danach das Audit für das direkte Veröffentlichen. Vor dem Audit bleibt jeder Beitrag privat, was auch immer die erste Freigabe zeigt. Ein Werkzeug für eine Firma oder eine Person wird abgelehnt; ein Dienst mit Registrierung kann bestehen.',
    },
    steps: [
      {
        title: { en: 'Film the sandbox', de: 'Die Sandbox filmen' },
        text: [
          {
            en: 'One to five videos of at most 50 MB that show every product and every scope, on the domain of the website you entered. Remove scopes that no video shows.',
            de: 'Ein bis fünf Videos mit höchstens 50 MB, die jedes Produkt und jeden Scope zeigen, auf der Domain der eingetragenen Website. Entferne Scopes, die kein Video zeigt.',
          },
          videoWords,
        ],
      },
      {
        title: { en: 'Submit the app review', de: 'App-Prüfung einreichen' },
        text: [
          {
            en: 'The website must explain the service, without a sign-in, with links to privacy and terms that are visible at once. Explain each product and scope in at most 1,000 characters. Avoid the words test, beta, demo, personal and internal.',
            de: 'Die Website muss den Dienst ohne Anmeldung erklären, mit sofort sichtbaren Links zu Datenschutz und Bedingungen. Erkläre jedes Produkt und jeden Scope in höchstens 1.000 Zeichen. Vermeide die Wörter test, beta, demo, personal und internal.',
          },
        ],
        values: ['website', 'privacyUrl', 'termsUrl'],
        paste: [
          serviceText,
          reviewerSteps('TikTok'),
          {
            label: { en: 'user.info.basic and user.info.profile', de: 'user.info.basic und user.info.profile' },
            text: 'Shown after connecting, so that the creator sees which account is meant: nickname and picture. Without it posts could go to the wrong account.',
          },
          {
            label: { en: 'video.publish', de: 'video.publish' },
            text: 'When the creator presses Publish or the chosen time comes, {name} sends the video or photos they approved, with the title, privacy and interaction settings they chose, once, and shows the post’s state.',
          },
          {
            label: { en: 'video.list', de: 'video.list' },
            text: 'Finds out whether a post exists when an answer was lost, so that nothing is posted twice, and shows its link and the totals of its figures.',
          },
        ],
      },
      {
        title: { en: 'Or use the inbox', de: 'Oder den Posteingang nutzen' },
        text: [
          {
            en: 'The only way to public posts without the audit: the post waits in the inbox of the TikTok app, and its owner finishes it there within 24 hours. Ask for the scope `video.upload` in the app review as well. Once it is approved, tick it above, and connect the accounts again.',
            de: 'Der einzige Weg zu öffentlichen Beiträgen ohne Audit: Der Beitrag wartet im Posteingang der TikTok-App, und wem das Konto gehört, stellt ihn dort innerhalb von 24 Stunden fertig. Beantrage in der App-Prüfung auch den Scope `video.upload`. Ist er freigegeben, kreuze es oben an und verbinde die Konten neu.',
          },
        ],
        values: ['vettedScopes'],
        paste: [
          {
            label: { en: 'video.upload', de: 'video.upload' },
            text: 'When the creator chooses “Put it into the inbox of the app”, {name} uploads the video or photos they approved, once. The creator opens the notification in TikTok, writes the caption, chooses the audience and posts it there.',
          },
        ],
      },
      {
        title: { en: 'Apply for the audit', de: 'Audit beantragen' },
        text: [
          {
            en: 'At developers.tiktok.com/application/content-posting-api, after the app review. It judges the composer point by point; film it in the order of TikTok’s guidelines. Set the account of the video to private, record, and switch it back.',
            de: 'Auf developers.tiktok.com/application/content-posting-api, nach der App-Prüfung. Beurteilt wird der Editor Punkt für Punkt; filme in der Reihenfolge der Richtlinien von TikTok. Stelle das Konto im Video auf privat, nimm auf, und stelle es zurück.',
          },
        ],
      },
    ],
  },
  problems: [
    {
      sign: {
        en: '`unaudited_client_can_only_post_to_private_accounts`',
        de: '`unaudited_client_can_only_post_to_private_accounts`',
      },
      cure: {
        en: 'Set the account itself to private, not only the post, until the audit has passed.',
        de: 'Stelle das Konto selbst auf privat, nicht nur den Beitrag, bis das Audit bestanden ist.',
      },
    },
    {
      sign: { en: '`url_ownership_unverified`', de: '`url_ownership_unverified`' },
      cure: { en: 'Prove the domain from which photos are fetched.', de: 'Weise die Domain nach, von der Fotos geholt werden.' },
    },
    {
      sign: { en: 'TikTok’s page names redirect_uri', de: 'Die Seite von TikTok nennt redirect_uri' },
      cure: {
        en: 'It is entered at *Login Kit*, in the same environment (sandbox or production) as the key.',
        de: 'Sie wird bei *Login Kit* eingetragen, in derselben Umgebung (Sandbox oder Production) wie der Key.',
      },
    },
  ],
  sources: [
    { url: 'https://developers.tiktok.com/doc/getting-started-create-an-app', on: '2026-09-11' },
    { url: 'https://developers.tiktok.com/doc/add-a-sandbox', on: '2026-09-11' },
    { url: 'https://developers.tiktok.com/doc/app-review-guidelines', on: '2026-09-11' },
    { url: 'https://developers.tiktok.com/docs/en/content-sharing-guidelines', on: '2026-09-11' },
    { url: 'https://developers.tiktok.com/doc/content-posting-api-get-started-upload-content', on: '2026-11-17' },
  ],
}
