<?php
// Makes an empty site with an author, and prints their application password.
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require getenv('CARILLON_WP_HTML') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
wp_install('Bells', 'owner', 'owner@example.com', true, '', bin2hex(random_bytes(12)));
update_option('permalink_structure', '/%postname%/');
$author = ['user_login' => 'alice', 'user_pass' => bin2hex(random_bytes(12)), 'display_name' => 'Alice', 'role' => 'author'];
$alice = wp_insert_user($author);
[$password] = WP_Application_Passwords::create_new_application_password($alice, ['name' => 'Carillon']);
echo $password;
