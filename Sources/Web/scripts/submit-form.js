addEventListener('pageshow',function(e){if(!e.persisted)setTimeout(function(){document.forms[0].submit()},$delay)});
