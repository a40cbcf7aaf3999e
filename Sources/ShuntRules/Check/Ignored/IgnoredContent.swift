extension IgnoredDirectives {
    /// Directives that change or produce content.
    static let content: [DirectiveGroup] = [
        DirectiveGroup(
            .settings,
            .exactly(1),
            """
            add_before_body add_after_body autoindex_format min_delete_depth gzip_comp_level gzip_window
            gzip_hash postpone_gzipping gzip_min_length gzip_static image_filter_jpeg_quality
            image_filter_webp_quality image_filter_sharpen image_filter_buffer mirror mp4_buffer_size
            mp4_max_buffer_size slice ssi_min_file_chunk ssi_value_length xml_entities brotli_static
            brotli_comp_level brotli_window brotli_min_length
            """
        ),
        DirectiveGroup(
            .settings,
            .atLeast(1),
            """
            addition_types dav_methods gzip_types ssi_types sub_filter_types xslt_types
            brotli_types
            """
        ),
        DirectiveGroup(
            .settings,
            .flag,
            """
            autoindex_localtime autoindex_exact_size create_full_put_path gunzip gzip_no_buffer
            image_filter_transparency image_filter_interlace mirror_request_body mp4_start_key_frame
            ssi_silent_errors ssi_ignore_recycled_buffers ssi_last_modified sub_filter_once
            sub_filter_last_modified xml_external_entities xslt_last_modified
            """
        ),
        DirectiveGroup(
            [.settings, .ifInLocation],
            .exactly(1),
            "source_charset add_header_inherit add_trailer_inherit"
        ),
        DirectiveGroup([.settings, .ifInLocation], .flag, "override_charset gzip ssi brotli"),
        DirectiveGroup(.http, .exactly(2), "charset_map", hasBlock: true),
        DirectiveGroup(.settings, .between(1, 3), "dav_access"),
        DirectiveGroup(.location, .none, "flv mp4"),
        DirectiveGroup(
            .settings,
            .exactly(2),
            "gunzip_buffers gzip_buffers sub_filter xslt_param xslt_string_param output_buffers brotli_buffers"
        ),
        DirectiveGroup([.settings, .ifInLocation], .between(2, 3), "add_trailer"),
        DirectiveGroup(.location, .between(1, 3), "image_filter"),
        DirectiveGroup(.location, .flag, "random_index"),
        DirectiveGroup(.server, .between(0, 1), "stub_status"),
        DirectiveGroup(.location, .atLeast(1), "xslt_stylesheet"),
        DirectiveGroup([.settings, .ifInLocation], .atLeast(1), "more_set_headers more_clear_headers"),
    ]
}
