#include "CWeb.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Owns: the bytes of the files of Sources/Web. A new file gets three lines here, which a test demands.
// clang tells the build system which files it has embedded, so that a change of one is always built.
static const struct vestibule_web_file files[] = {
    {"pages/account.mustache", (const unsigned char[]){
#embed "../Web/pages/account.mustache" suffix(, 0)
    }},
    {"pages/answer.mustache", (const unsigned char[]){
#embed "../Web/pages/answer.mustache" suffix(, 0)
    }},
    {"pages/app-link.mustache", (const unsigned char[]){
#embed "../Web/pages/app-link.mustache" suffix(, 0)
    }},
    {"pages/console.mustache", (const unsigned char[]){
#embed "../Web/pages/console.mustache" suffix(, 0)
    }},
    {"pages/device-code.mustache", (const unsigned char[]){
#embed "../Web/pages/device-code.mustache" suffix(, 0)
    }},
    {"pages/device-question.mustache", (const unsigned char[]){
#embed "../Web/pages/device-question.mustache" suffix(, 0)
    }},
    {"pages/device-sign-in.mustache", (const unsigned char[]){
#embed "../Web/pages/device-sign-in.mustache" suffix(, 0)
    }},
    {"pages/enrollment.mustache", (const unsigned char[]){
#embed "../Web/pages/enrollment.mustache" suffix(, 0)
    }},
    {"pages/face.mustache", (const unsigned char[]){
#embed "../Web/pages/face.mustache" suffix(, 0)
    }},
    {"pages/home.mustache", (const unsigned char[]){
#embed "../Web/pages/home.mustache" suffix(, 0)
    }},
    {"pages/icon.mustache", (const unsigned char[]){
#embed "../Web/pages/icon.mustache" suffix(, 0)
    }},
    {"pages/landing.mustache", (const unsigned char[]){
#embed "../Web/pages/landing.mustache" suffix(, 0)
    }},
    {"pages/mail.mustache", (const unsigned char[]){
#embed "../Web/pages/mail.mustache" suffix(, 0)
    }},
    {"pages/partials/brand-footer.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/brand-footer.mustache" suffix(, 0)
    }},
    {"pages/partials/brand-mark.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/brand-mark.mustache" suffix(, 0)
    }},
    {"pages/partials/brand-name.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/brand-name.mustache" suffix(, 0)
    }},
    {"pages/partials/cancel.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/cancel.mustache" suffix(, 0)
    }},
    {"pages/partials/check.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/check.mustache" suffix(, 0)
    }},
    {"pages/partials/device-fields.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/device-fields.mustache" suffix(, 0)
    }},
    {"pages/partials/icons.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/icons.mustache" suffix(, 0)
    }},
    {"pages/partials/landing-head.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/landing-head.mustache" suffix(, 0)
    }},
    {"pages/partials/mark-image.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/mark-image.mustache" suffix(, 0)
    }},
    {"pages/partials/mark.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/mark.mustache" suffix(, 0)
    }},
    {"pages/partials/messages.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/messages.mustache" suffix(, 0)
    }},
    {"pages/partials/passkey-wait.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/passkey-wait.mustache" suffix(, 0)
    }},
    {"pages/partials/sign-in-footer.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/sign-in-footer.mustache" suffix(, 0)
    }},
    {"pages/partials/sign-in-header.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/sign-in-header.mustache" suffix(, 0)
    }},
    {"pages/partials/site-body.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/site-body.mustache" suffix(, 0)
    }},
    {"pages/partials/site-footer.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/site-footer.mustache" suffix(, 0)
    }},
    {"pages/partials/site-header.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/site-header.mustache" suffix(, 0)
    }},
    {"pages/partials/site-start.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/site-start.mustache" suffix(, 0)
    }},
    {"pages/partials/site-title.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/site-title.mustache" suffix(, 0)
    }},
    {"pages/partials/timeout.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/timeout.mustache" suffix(, 0)
    }},
    {"pages/partials/user-verification.mustache", (const unsigned char[]){
#embed "../Web/pages/partials/user-verification.mustache" suffix(, 0)
    }},
    {"pages/passkeys.mustache", (const unsigned char[]){
#embed "../Web/pages/passkeys.mustache" suffix(, 0)
    }},
    {"pages/scan.mustache", (const unsigned char[]){
#embed "../Web/pages/scan.mustache" suffix(, 0)
    }},
    {"pages/sign-in-code.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-code.mustache" suffix(, 0)
    }},
    {"pages/sign-in-consent.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-consent.mustache" suffix(, 0)
    }},
    {"pages/sign-in-failed.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-failed.mustache" suffix(, 0)
    }},
    {"pages/sign-in-identifier.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-identifier.mustache" suffix(, 0)
    }},
    {"pages/sign-in-notice.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-notice.mustache" suffix(, 0)
    }},
    {"pages/sign-in-offer.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-offer.mustache" suffix(, 0)
    }},
    {"pages/sign-in-onward.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-onward.mustache" suffix(, 0)
    }},
    {"pages/sign-in-up.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-up.mustache" suffix(, 0)
    }},
    {"pages/sign-in-wait.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-wait.mustache" suffix(, 0)
    }},
    {"pages/sign-in-ways.mustache", (const unsigned char[]){
#embed "../Web/pages/sign-in-ways.mustache" suffix(, 0)
    }},
    {"pages/signup.mustache", (const unsigned char[]){
#embed "../Web/pages/signup.mustache" suffix(, 0)
    }},
    {"scripts/able.js", (const unsigned char[]){
#embed "../Web/scripts/able.js" suffix(, 0)
    }},
    {"scripts/authorize-offer.js", (const unsigned char[]){
#embed "../Web/scripts/authorize-offer.js" suffix(, 0)
    }},
    {"scripts/authorize-up.js", (const unsigned char[]){
#embed "../Web/scripts/authorize-up.js" suffix(, 0)
    }},
    {"scripts/authorize-wait.js", (const unsigned char[]){
#embed "../Web/scripts/authorize-wait.js" suffix(, 0)
    }},
    {"scripts/authorize-ways.js", (const unsigned char[]){
#embed "../Web/scripts/authorize-ways.js" suffix(, 0)
    }},
    {"scripts/authorize.js", (const unsigned char[]){
#embed "../Web/scripts/authorize.js" suffix(, 0)
    }},
    {"scripts/autofill.js", (const unsigned char[]){
#embed "../Web/scripts/autofill.js" suffix(, 0)
    }},
    {"scripts/base64url.js", (const unsigned char[]){
#embed "../Web/scripts/base64url.js" suffix(, 0)
    }},
    {"scripts/confirm.js", (const unsigned char[]){
#embed "../Web/scripts/confirm.js" suffix(, 0)
    }},
    {"scripts/console/console.js", (const unsigned char[]){
#embed "../Web/scripts/console/console.js" suffix(, 0)
    }},
    {"scripts/face.js", (const unsigned char[]){
#embed "../Web/scripts/face.js" suffix(, 0)
    }},
    {"scripts/facelogin.js", (const unsigned char[]){
#embed "../Web/scripts/facelogin.js" suffix(, 0)
    }},
    {"scripts/faults.js", (const unsigned char[]){
#embed "../Web/scripts/faults.js" suffix(, 0)
    }},
    {"scripts/home.js", (const unsigned char[]){
#embed "../Web/scripts/home.js" suffix(, 0)
    }},
    {"scripts/http.js", (const unsigned char[]){
#embed "../Web/scripts/http.js" suffix(, 0)
    }},
    {"scripts/page.js", (const unsigned char[]){
#embed "../Web/scripts/page.js" suffix(, 0)
    }},
    {"scripts/passkey-new.js", (const unsigned char[]){
#embed "../Web/scripts/passkey-new.js" suffix(, 0)
    }},
    {"scripts/passkey-sign-in.js", (const unsigned char[]){
#embed "../Web/scripts/passkey-sign-in.js" suffix(, 0)
    }},
    {"scripts/passkeys.js", (const unsigned char[]){
#embed "../Web/scripts/passkeys.js" suffix(, 0)
    }},
    {"scripts/progress.js", (const unsigned char[]){
#embed "../Web/scripts/progress.js" suffix(, 0)
    }},
    {"scripts/qr.js", (const unsigned char[]){
#embed "../Web/scripts/qr.js" suffix(, 0)
    }},
    {"scripts/registration.js", (const unsigned char[]){
#embed "../Web/scripts/registration.js" suffix(, 0)
    }},
    {"scripts/scan-wait.js", (const unsigned char[]){
#embed "../Web/scripts/scan-wait.js" suffix(, 0)
    }},
    {"scripts/session.js", (const unsigned char[]){
#embed "../Web/scripts/session.js" suffix(, 0)
    }},
    {"scripts/signup.js", (const unsigned char[]){
#embed "../Web/scripts/signup.js" suffix(, 0)
    }},
    {"scripts/submit-form.js", (const unsigned char[]){
#embed "../Web/scripts/submit-form.js" suffix(, 0)
    }},
    {"scripts/texts.js", (const unsigned char[]){
#embed "../Web/scripts/texts.js" suffix(, 0)
    }},
    {"scripts/webauthn.js", (const unsigned char[]){
#embed "../Web/scripts/webauthn.js" suffix(, 0)
    }},
    {"styles/console.css", (const unsigned char[]){
#embed "../Web/styles/console.css" suffix(, 0)
    }},
    {"styles/page.css", (const unsigned char[]){
#embed "../Web/styles/page.css" suffix(, 0)
    }},
    {"styles/site.css", (const unsigned char[]){
#embed "../Web/styles/site.css" suffix(, 0)
    }},
    {"texts/de.json", (const unsigned char[]){
#embed "../Web/texts/de.json" suffix(, 0)
    }},
    {"texts/en.json", (const unsigned char[]){
#embed "../Web/texts/en.json" suffix(, 0)
    }},
    {"texts/es.json", (const unsigned char[]){
#embed "../Web/texts/es.json" suffix(, 0)
    }},
    {"texts/fr.json", (const unsigned char[]){
#embed "../Web/texts/fr.json" suffix(, 0)
    }},
    {"texts/sv.json", (const unsigned char[]){
#embed "../Web/texts/sv.json" suffix(, 0)
    }},
};

const struct vestibule_web_file *_Nonnull vestibule_web_files(size_t *_Nonnull count) {
    *count = sizeof files / sizeof files[0];
    return files;
}

// A picture may contain zeros, so that its length is kept beside it.
static const unsigned char touch_icon[] = {
#embed "../Web/images/apple-touch-icon.png"
};
static const unsigned char favicon[] = {
#embed "../Web/images/favicon.ico"
};

static const struct vestibule_web_image images[] = {
    {"images/apple-touch-icon.png", touch_icon, sizeof touch_icon},
    {"images/favicon.ico", favicon, sizeof favicon},
};

const struct vestibule_web_image *_Nonnull vestibule_web_images(size_t *_Nonnull count) {
    *count = sizeof images / sizeof images[0];
    return images;
}
